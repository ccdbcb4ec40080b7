/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/** What the shop promises, on Spring MVC and on WebFlux, counted on a real Redis. */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class ShopTests {

    private static Sample servlet;
    private static Sample reactive;

    @BeforeAll
    static void start(RedisServer redis) {
        servlet = sample(redis);
        reactive = sample(redis, "--spring.profiles.active=reactive", "--spring.application.name=reactive");
    }

    private static Sample sample(RedisServer redis, String... more) {
        List<String> arguments = new ArrayList<>(Sample.HOURLY);
        arguments.add("--ratelimit.limits.load.permits=20");
        arguments.addAll(List.of(more));
        return Sample.on(redis, arguments.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        servlet.close();
        reactive.close();
    }

    static Stream<Sample> samples() {
        return Stream.of(servlet, reactive);
    }

    static Stream<Http> stacks() {
        return samples().map(Sample::http);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void tenantsOrderAsOftenAsTheirPlanSays(Http http) throws Exception {
        assertThat(statuses(http, "POST", "/tenants/acme/orders", 6)).containsExactly(200, 200, 200, 200, 200, 429);
        assertThat(statuses(http, "POST", "/tenants/umbrella/orders", 10)).containsOnly(200);
        assertThat(statuses(http, "POST", "/tenants/vip-1/orders", 10)).containsOnly(200);

        HttpResponse<String> denied = http.post("/tenants/acme/orders");
        assertThat(Integer.parseInt(header(denied, "Retry-After"))).isBetween(1, 720);
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(header(denied, "X-RateLimit-Limit")).isEqualTo("5");
        assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(denied.body()).contains("#quota-exceeded\"").endsWith("[\"order-controller-create\"]}");
        assertThat(http.post("/tenants/other/orders").body()).isEqualTo("ordered for other");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void loadIsCountedExactly(Http http) throws Exception {
        List<Integer> statuses = statuses(http, "GET", "/load", 30);

        assertThat(Collections.frequency(statuses, 200)).isEqualTo(20);
        assertThat(Collections.frequency(statuses, 429)).isEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void guessesOfPasswordsEndInAPenalty(Http http) throws Exception {
        assertThat(statuses(http, "POST", "/login/eve", 4)).containsExactly(401, 401, 401, 429);
        assertThat(http.post("/login/eve?password=secret").body()).contains("#abnormal-usage-detected");
        assertThat(statuses(http, "POST", "/login/ann", 2)).containsOnly(401);
        assertThat(http.post("/login/ann?password=secret").body()).isEqualTo("welcome ann");
        assertThat(statuses(http, "POST", "/login/ann", 3))
                .as("the right one forgets")
                .containsOnly(401);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void reportsCostTheirSize(Http http) throws Exception {
        assertThat(header(http.get("/tenants/acme/report?rows=1500"), "X-RateLimit-Remaining"))
                .isEqualTo("5");
        assertThat(http.get("/tenants/acme/report?rows=600").statusCode()).isEqualTo(429);
        assertThat(http.get("/tenants/acme/report?rows=600&preview=true").body())
                .isEqualTo("a preview for acme");
        assertThat(http.get("/tenants/acme/report?rows=9000").headers().firstValue("Retry-After"))
                .as("never")
                .isEmpty();
        assertThat(http.get("/tenants/auditor-1/report?rows=9000").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void callsOfTheThirdPartyAreSpaced(Http http) throws Exception {
        long begin = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThat(http.get("/rates/EUR").body()).isEqualTo("1 EUR is 1.08 USD");
        }

        assertThat(System.nanoTime() - begin).as("two gaps of half a second").isGreaterThan(900_000_000L);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void searchesAreLimitedOnThreeLevelsTogether(Http http) throws Exception {
        assertThat(statuses(http, "GET", "/tenants/acme/search", 8)).containsOnly(200);

        assertThat(http.get("/tenants/acme/search").body()).isEqualTo("too many searches: search-by-address");
        assertThat(http.get("/actuator/ratelimits/search-by-tenant/key?key=acme")
                        .body())
                .as("who was denied by one paid to none")
                .contains("\"remaining\":2");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void recommendationsFallBack(Http http) throws Exception {
        assertThat(bodies(http, "GET", "/tenants/acme/recommendations", 3))
                .containsExactly("what suits acme", "what suits acme", "what everybody buys");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void exportsWait(Http http) throws Exception {
        long begin = System.nanoTime();
        assertThat(bodies(http, "POST", "/tenants/acme/exports", 2)).containsOnly("exported for acme");

        assertThat(System.nanoTime() - begin).isGreaterThan(800_000_000L);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void wrongCouponsCostNothing(Http http) throws Exception {
        assertThat(statuses(http, "POST", "/tenants/acme/coupons/WRONG", 4)).containsOnly(404);
        assertThat(statuses(http, "POST", "/tenants/acme/coupons/SAVE10", 4)).containsExactly(200, 200, 200, 409);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void partnersAreCountedByKey(Http http) throws Exception {
        assertThat(http.get("/partners/stock").statusCode()).isEqualTo(400);
        for (String key : List.of("one", "other")) {
            for (int i = 0; i < 3; i++) {
                assertThat(http.send("GET", "/partners/stock", "X-Api-Key", key).statusCode())
                        .isEqualTo(200);
            }
            assertThat(http.send("GET", "/partners/stock", "X-Api-Key", key).statusCode())
                    .isEqualTo(429);
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void reviewsAreCountedByTenantAndProductTogether(Http http) throws Exception {
        assertThat(statuses(http, "POST", "/tenants/acme/reviews/tea", 3)).containsExactly(200, 200, 429);
        assertThat(http.post("/tenants/acme/reviews/coffee").statusCode()).isEqualTo(200);
        assertThat(http.post("/tenants/umbrella/reviews/tea").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void invoicesWaitForThePrinter(Http http) throws Exception {
        long begin = System.nanoTime();
        assertThat(bodies(http, "POST", "/tenants/acme/invoices", 2)).containsOnly("printed for acme");

        assertThat(System.nanoTime() - begin).isGreaterThan(800_000_000L);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void newslettersAreAskedForReactively(Http http) throws Exception {
        assertThat(bodies(http, "POST", "/tenants/acme/newsletters", 3))
                .containsExactly("sent for acme", "sent for acme", "put off until tomorrow");
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("samples")
    void oneInstanceCleansUpAtNight(Sample sample, CapturedOutput output) {
        Runnable cleanUp = scheduled(sample, "NightlyCleanup.cleanUp");

        cleanUp.run();
        cleanUp.run();

        assertThat(output).containsOnlyOnce("Cleaned up").containsOnlyOnce("Another instance cleans up tonight");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void theSizeOfTheCatalogueIsNotEvenWatched(Http http) throws Exception {
        String before = decisions(http);
        assertThat(bodies(http, "GET", "/catalogue/size", 8)).containsOnly("3");

        assertThat(decisions(http)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void theCatalogueIsOnlyWatched(Http http) throws Exception {
        assertThat(statuses(http, "GET", "/catalogue", 8)).containsOnly(200);
        assertThat(http.get("/catalogue").headers().map().keySet())
                .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("x-ratelimit"));
        assertThat(http.get("/actuator/prometheus").body())
                .containsPattern(
                        "ratelimit_decisions_total\\{.*limit=\"catalogue\",outcome=\"shadow-denied\"\\} [1-9]");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void aRuleLimitsDownloads(Http http) throws Exception {
        assertThat(statuses(http, "GET", "/downloads/a.txt", 4)).containsExactly(200, 200, 200, 429);
        assertThat(http.send("GET", "/downloads/a.txt", "X-Mirror", "yes").body())
                .isEqualTo("the contents of a.txt");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void denialsAreHeardOf(Http http) throws Exception {
        assertThat(statuses(http, "GET", "/tenants/heard/recommendations", 3)).containsOnly(200);

        assertThat(http.get("/denials").body()).contains("\"recommendations\":");
    }

    /** How often the catalogue was counted, whatever came of it. */
    private static String decisions(Http http) throws Exception {
        return http.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("ratelimit_decisions_total") && line.contains("\"catalogue\""))
                .collect(Collectors.joining());
    }

    private static Runnable scheduled(Sample sample, String method) {
        return sample.context().getBean(ScheduledTaskHolder.class).getScheduledTasks().stream()
                .map(scheduled -> scheduled.getTask().getRunnable())
                .filter(task -> task.toString().endsWith(method))
                .findFirst()
                .orElseThrow();
    }

    private static List<Integer> statuses(Http http, String method, String path, int times) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            statuses.add(http.send(method, path).statusCode());
        }
        return statuses;
    }

    private static List<String> bodies(Http http, String method, String path, int times) throws Exception {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            bodies.add(http.send(method, path).body());
        }
        return bodies;
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
