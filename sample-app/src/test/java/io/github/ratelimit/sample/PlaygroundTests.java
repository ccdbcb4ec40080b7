/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the playground plays, without a browser. */
class PlaygroundTests {

    private static final String SHORT = "&pattern=OVERLOAD&permits=5&period=500&burst=5&slots=5";
    private static final String LONG = "&pattern=OVERLOAD&permits=1&period=5000&burst=1&slots=1";
    private static final Pattern CALLS = Pattern.compile("\"calls\":(\\d+)");
    private static final Pattern LANE = Pattern.compile("\"went\":\\[([\\d,]*)],\"denied\":(\\d+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Sample servlet;
    private static Sample reactive;

    @BeforeAll
    static void start() {
        servlet = Sample.local();
        reactive = Sample.local("--spring.profiles.active=reactive");
    }

    @AfterAll
    static void stop() {
        servlet.close();
        reactive.close();
    }

    static Stream<Sample> stacks() {
        return Stream.of(servlet, reactive);
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("stacks")
    void everyLimitSeesTheSameCallsAndCountsWhatItTells(Sample sample) throws Exception {
        long[][] before = PlaygroundCounters.of(sample.http());
        String told = play(sample, "a" + SHORT).get(20, TimeUnit.SECONDS).body();

        assertThat(told).startsWith("event:start").contains("event:end");
        assertThat(sum(CALLS.matcher(told).results().map(each -> each.group(1))))
                .isEqualTo(150);
        List<MatchResult> lanes = LANE.matcher(told).results().toList();
        for (int lane = 0; lane < 5; lane++) {
            int allowed = 0;
            int denied = 0;
            for (int i = lane; i < lanes.size(); i += 5) {
                String went = lanes.get(i).group(1);
                allowed += went.isEmpty() ? 0 : went.split(",", -1).length;
                denied += Integer.parseInt(lanes.get(i).group(2));
            }
            assertThat(allowed).as("what fits at once, or more").isBetween(5, 149);
            assertThat(allowed + denied).isEqualTo(150);
            assertThat(PlaygroundCounters.of(sample.http())[lane])
                    .containsExactly(before[lane][0] + allowed, before[lane][1] + denied);
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("stacks")
    void hostileNumbersAreRefused(Sample sample) throws Exception {
        for (String query : List.of(
                "pattern=STEADY&permits=0&period=500&burst=1&slots=1",
                "pattern=STEADY&permits=1000000&period=500&burst=1&slots=1",
                "pattern=STEADY&permits=50&period=500&burst=1&slots=1",
                "pattern=STEADY&permits=1&period=86400000&burst=1&slots=1",
                "pattern=STEADY&permits=1&period=500&burst=2147483647&slots=1",
                "pattern=STEADY&permits=1&period=500&burst=51&slots=1",
                "pattern=STEADY&permits=1&period=500&burst=1&slots=-1",
                "pattern=STEADY&permits=1&period=525&burst=1&slots=21",
                "pattern=STEADY&permits=1&period=500&burst=1&slots=99999999999",
                "pattern=%3Cscript%3E&permits=1&period=500&burst=1&slots=1",
                "pattern=STEADY&permits=1&period=501&burst=1&slots=17")) {
            HttpResponse<String> answer = sample.http().get("/playground/run?session=h&" + query);
            assertThat(answer.statusCode()).as(query).isEqualTo(400);
            assertThat(answer.body()).as(query).doesNotContain("<script>");
        }
        String longSession = "s".repeat(41);
        assertThat(sample.http()
                        .get("/playground/run?session=" + longSession + SHORT)
                        .statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("stacks")
    void aNewRunEndsTheFormerOfItsSession(Sample sample) throws Exception {
        CompletableFuture<HttpResponse<String>> former = play(sample, "same" + LONG);
        CompletableFuture<HttpResponse<String>> newer = play(sample, "same" + SHORT);

        assertThat(former.get(15, TimeUnit.SECONDS).body()).contains("event:end");
        assertThat(newer.get(15, TimeUnit.SECONDS).body()).contains("event:end");
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("stacks")
    void onlySoManyPlayAtOnceAndAllCanBeStopped(Sample sample) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> runs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            runs.add(play(sample, "many-" + i + LONG));
        }

        HttpResponse<String> ninth = play(sample, "ninth" + SHORT).get(20, TimeUnit.SECONDS);

        assertThat(ninth.statusCode()).isEqualTo(503);
        assertThat(ninth.body()).isEqualTo("Everybody plays already: try again in a few seconds.");
        for (int i = 0; i < 8; i++) {
            assertThat(sample.http().post("/playground/stop?session=many-" + i).statusCode())
                    .isEqualTo(200);
            assertThat(runs.get(i).get(10, TimeUnit.SECONDS).body()).contains("event:end");
        }
    }

    /** Returns when the run has begun. */
    private static CompletableFuture<HttpResponse<String>> play(Sample sample, String query) throws Exception {
        URI uri = URI.create("http://localhost:" + sample.port() + "/playground/run?session=" + query);
        CompletableFuture<HttpResponse.ResponseInfo> begun = new CompletableFuture<>();
        CompletableFuture<HttpResponse<String>> answer =
                CLIENT.sendAsync(HttpRequest.newBuilder(uri).build(), info -> {
                    begun.complete(info);
                    return HttpResponse.BodySubscribers.ofString(java.nio.charset.StandardCharsets.UTF_8);
                });
        begun.get(10, TimeUnit.SECONDS);
        return answer;
    }

    private static int sum(Stream<String> numbers) {
        return numbers.mapToInt(Integer::parseInt).sum();
    }
}
