/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The curl lines of the README, from top to bottom, answer as the README shows, on both stacks. */
@WithRedis
class ReadmeCurlTests {

    private static final Pattern BLOCK = Pattern.compile("```console\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SHOWN_TIME =
            Pattern.compile("(?<=-Reset: |Retry-After: |again in |AfterMillis\":)\\d+");

    @ParameterizedTest
    @ValueSource(strings = {"default", "reactive"})
    void answersAsShown(String profile, RedisServer redis) throws Exception {
        redis.flush();
        String readme = Files.readString(Path.of("../README.md"));
        Matcher block = BLOCK.matcher(readme);
        assertThat(block.find()).isTrue();
        List<String> steps = List.of(block.group(1).strip().split("(?m)^\\$ ", -1));
        assertThat(steps).hasSizeGreaterThan(5);
        try (Sample sample = Sample.on(redis, "--spring.profiles.active=" + profile)) {
            for (String step : steps.subList(1, steps.size())) {
                String command = step.lines().findFirst().orElseThrow();
                String shown = step.substring(command.length()).strip();
                CurlLine curl = CurlLine.parse(command);

                assertSame(command, shown, curl.showsHead(), curl.send(sample.port()));
            }
        }
    }

    private static void assertSame(String command, String shown, boolean withHead, HttpResponse<String> answer) {
        String body = shown;
        if (withHead) {
            List<String> lines = shown.lines().toList();
            assertThat(lines.get(0)).as(command).isEqualTo("HTTP/1.1 " + answer.statusCode());
            int blank = lines.indexOf("");
            for (String header : lines.subList(1, blank)) {
                String name = header.substring(0, header.indexOf(':'));
                String value = answer.headers().firstValue(name).orElse("nothing");
                assertThat(name + ": " + value).as(command).matches(pattern(header));
            }
            assertThat(answer.headers().map().keySet().stream().filter(ReadmeCurlTests::isAboutLimits))
                    .as("%s: headers about limits", command)
                    .allSatisfy(name ->
                            assertThat(shown.toLowerCase(java.util.Locale.ROOT)).contains(name + ": "));
            body = String.join("\n", lines.subList(blank + 1, lines.size()));
        }
        assertThat(answer.body()).as(command).matches(pattern(body));
        assertTimes(command, shown, answer);
    }

    /** What is shown, word by word; but a time may be any number, and an ellipsis anything. */
    private static String pattern(String shown) {
        StringBuilder pattern = new StringBuilder();
        for (String part : shown.split("…", -1)) {
            pattern.append(pattern.isEmpty() ? "" : ".*");
            Matcher time = SHOWN_TIME.matcher(part);
            int from = 0;
            while (time.find()) {
                pattern.append(Pattern.quote(part.substring(from, time.start())))
                        .append("\\d+");
                from = time.end();
            }
            pattern.append(Pattern.quote(part.substring(from)));
        }
        return pattern.toString();
    }

    /** Times are no longer than shown, and there. */
    private static void assertTimes(String command, String shown, HttpResponse<String> answer) {
        for (String name : List.of("X-RateLimit-Reset", "Retry-After")) {
            Matcher time = Pattern.compile(name + ": (\\d+)").matcher(shown);
            if (time.find()) {
                assertThat(answer.headers().firstValueAsLong(name).orElse(0))
                        .as("%s: %s", command, name)
                        .isBetween(1L, Long.parseLong(time.group(1)));
            }
        }
    }

    private static boolean isAboutLimits(String header) {
        return header.startsWith("x-ratelimit") || header.startsWith("ratelimit") || header.equals("retry-after");
    }
}
