/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.PlanResolver;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.scheduler.Schedulers;

/**
 * The actuator endpoint over HTTP, and what two instances on one Redis make of it. The tests of a stack share an application
 * to look at and one to write to, each with its own counters and overrides; who overrides cleans up. All stay until the end:
 * an application that stops takes the event loops of every Netty along.
 */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class EndpointTests {

    private static final String ORDERS = "/actuator/ratelimits/orders";
    private static final String WRITABLE = "management.endpoint.ratelimits.access=unrestricted";
    private static final Map<String, RunningApplication> RUNNING = new HashMap<>();

    private final RedisServer redis;

    EndpointTests(RedisServer redis) {
        this.redis = redis;
    }

    @AfterAll
    static void stop() {
        RUNNING.values().forEach(RunningApplication::close);
        RUNNING.clear();
    }

    @ParameterizedTest
    @EnumSource
    void showsLimitsAndKeysAndTakesNothing(WebStack stack) throws Exception {
        RunningApplication app = readable(stack);
        app.get("/tenants/acme");

        assertThat(app.get("/actuator/ratelimits").body())
                .contains("Orders.order(String)\":[\"orders\"]")
                .contains("\"overrides\":\"every instance\"")
                .doesNotContain("idleOverrides");
        assertThat(app.get(ORDERS).body())
                .contains("\"permits\":3", "\"period\":\"1h\"", "\"permits\":\"limits.orders\"")
                .contains("\"plans\":{\"gold\":{\"permits\":30");
        for (int i = 0; i < 2; i++) {
            assertThat(app.get(ORDERS + "/key?key=acme").body()).contains("\"state\":\"allowed\"", "\"remaining\":2");
        }
        assertThat(Plans.threads).isNotEmpty().noneMatch(thread -> thread.contains("event loop"));
    }

    @ParameterizedTest
    @EnumSource
    void tellsOfAPenaltyOnlyWhereOneRuns(WebStack stack) throws Exception {
        RunningApplication app = readable(stack);
        String key = "/actuator/ratelimits/strict/key?key=acme";
        app.get("/strict/acme");
        assertThat(app.get(key))
                .satisfies(is(200, "\"state\":\"denied\",\"reason\":\"PERMITS_SPENT\",\"remaining\":0"))
                .satisfies(answer -> assertThat(answer.body()).containsPattern("\"resetAfterMillis\":3(599|600)"));
        assertThat(app.get("/strict/acme").statusCode()).isEqualTo(429);
        assertThat(app.get(key))
                .satisfies(is(200, "\"state\":\"denied\",\"reason\":\"PENALTY\",\"remaining\":0"))
                .satisfies(answer -> assertThat(answer.body()).containsPattern("\"resetAfterMillis\":7(199|200)"));
    }

    @ParameterizedTest
    @EnumSource
    void isReadOnlyUnlessAccessIsGranted(WebStack stack) throws Exception {
        RunningApplication app = readable(stack);
        assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 5}").statusCode())
                .isEqualTo(405);
        assertThat(app.json("DELETE", ORDERS + "/key?key=acme", "").statusCode())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatIsWrong(WebStack stack) throws Exception {
        RunningApplication app = writable(stack);
        assertThat(app.get("/actuator/ratelimits/nosuch")).satisfies(is(404, "No limit is named 'nosuch'"));
        assertThat(app.get(ORDERS + "/nosuch")).satisfies(is(404, "no 'nosuch'"));
        assertThat(app.get(ORDERS + "/key")).satisfies(is(400, "which key"));
        assertThat(app.json("POST", ORDERS + "/override", "{}")).satisfies(is(400, "states no number"));
        assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 0}")).satisfies(is(400, "permits = 0"));
        assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": \"many\"}"))
                .satisfies(is(400, "permits = many"));
        assertThat(app.json("POST", ORDERS + "/override", "{\"period\": \"soon\"}"))
                .satisfies(is(400, "period = soon"));
        assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 5, \"plan\": \"silver\"}"))
                .satisfies(is(404, "no plan 'silver'"));
        assertThat(app.json("POST", "/actuator/ratelimits/nosuch/override", "{\"permits\": 5}"))
                .satisfies(is(404, "No limit is named 'nosuch'"));
        assertThat(app.get(ORDERS + "/key?key=%20")).satisfies(is(400, "A blank key is none"));
        assertThat(app.json("DELETE", ORDERS + "/key?key=%20", "")).satisfies(is(400, "A blank key is none"));
    }

    /** Boot has path, query and body in one map, where the last replaces the first and nobody asks for the rest. */
    @ParameterizedTest
    @EnumSource
    void takesTheLimitFromThePathAlone(WebStack stack) throws Exception {
        RunningApplication app = writable(stack);
        for (String more : new String[] {
            "\"limit\": \"busy\"",
            "\"limitName\": \"busy\"",
            "\"path\": \"busy/override\"",
            "\"path\": \"busy,override\"",
            "\"path\": null"
        }) {
            assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 2, " + more + "}"))
                    .satisfies(refuses(more.substring(1, more.indexOf("\":"))));
        }
        assertThat(app.json("POST", ORDERS + "/nonsense", "{\"permits\": 2, \"part\": \"override\"}"))
                .satisfies(is(404, "Nothing of a limit can be written but its 'override'"));
        assertThat(app.json("POST", ORDERS + "/nonsense", "{\"permits\": 2, \"path\": \"orders,override\"}"))
                .satisfies(refuses("path"));
        for (String query : new String[] {"limitName=busy", "path=busy,override", "path=busy&path=override", "path"}) {
            String name = query.replaceAll("=.*", "");
            assertThat(app.json("POST", ORDERS + "/override?" + query, "{\"permits\": 2}"))
                    .satisfies(refuses(name));
            assertThat(app.json("DELETE", ORDERS + "/override?" + query, "")).satisfies(refuses(name));
            assertThat(app.json("DELETE", ORDERS + "/key?key=acme&" + query, ""))
                    .satisfies(refuses(name));
            assertThat(app.get(ORDERS + "/key?key=acme&" + query)).satisfies(refuses(name));
            assertThat(app.get(ORDERS + "?" + query)).satisfies(refuses(name));
            assertThat(app.get("/actuator/ratelimits?" + query)).satisfies(refuses(name));
        }
        assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("\"permits\":2");
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatItWouldNotHeed(WebStack stack) throws Exception {
        RunningApplication app = writable(stack);
        for (String field : new String[] {"foo", "brust", "Permits", "penalty", "algorithm", "key", "part"}) {
            assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 2, \"" + field + "\": \"1s\"}"))
                    .satisfies(refuses(field))
                    .satisfies(is(400, "Accepted are permits, period, burst and plan, in the body."));
        }
        assertThat(app.json("DELETE", ORDERS + "/key?key=acme&plan=gold", ""))
                .satisfies(refuses("plan"))
                .satisfies(is(400, "Accepted is key, in the query."));
        assertThat(app.json("DELETE", ORDERS + "/override?key=acme", ""))
                .satisfies(refuses("key"))
                .satisfies(is(400, "Accepted is plan, in the query."));
        assertThat(app.get(ORDERS + "?key=acme"))
                .satisfies(refuses("key"))
                .satisfies(is(400, "Accepted is nothing beside the path."));
        assertThat(app.get(ORDERS + "/key?key=acme&key=umbrella")).satisfies(is(400, "key is stated 2 times"));
        assertThat(app.get(ORDERS + "/key/acme")).satisfies(is(404, "no 'key/acme' of a limit"));
        assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("\"permits\":2");
    }

    @ParameterizedTest
    @EnumSource
    void says503WhileRedisIsAwayAndNothingToTheLog(WebStack stack, CapturedOutput log) throws Exception {
        RunningApplication app = RUNNING.computeIfAbsent(
                "away " + stack,
                unused -> start(stack, "endpoint-away-" + stack, WRITABLE, "spring.data.redis.port=1"));
        assertThat(app.get(ORDERS).body()).contains("\"permits\":3");
        assertThat(app.get(ORDERS + "/key?key=acme")).satisfies(is(503, "The store cannot answer"));
        assertThat(app.json("DELETE", ORDERS + "/key?key=acme", "")).satisfies(is(503, "The store cannot answer"));
        assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 5}")).satisfies(is(503, "\"reason\":"));
        assertThat(app.json("DELETE", ORDERS + "/override", "")).satisfies(is(503, "\"reason\":"));
        assertThat(app.get(ORDERS).body()).contains("\"permits\":3");
        assertThat(log).doesNotContain("RateLimitsEndpoint");
    }

    /** Instances of both stacks. */
    @Test
    void overridesOnEveryInstanceAndAfterARestart() throws Exception {
        RunningApplication one = writable(WebStack.REACTIVE);
        RunningApplication other = writable("other", WebStack.SERVLET, writableName(WebStack.REACTIVE));
        assertThat(one.json("POST", ORDERS + "/override", "{\"permits\": 1, \"period\": \"2h\"}"))
                .satisfies(is(200, "\"permits\":1"))
                .satisfies(is(200, "\"overrides\":\"every instance\""));

        await().atMost(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(other.get(ORDERS).body())
                        .contains("\"permits\":1", "\"period\":\"2h\"", "\"permits\":\"override\""));
        assertThat(redis.command("TTL", hash(WebStack.REACTIVE))).isEqualTo(-1L);
        assertThat(passed(one, "umbrella", 2)).isEqualTo(1);
        assertThat(passed(other, "umbrella", 2)).isZero();

        RunningApplication restarted = writable("restarted", WebStack.SERVLET, writableName(WebStack.REACTIVE));
        assertThat(passed(restarted, "hooli", 3)).isEqualTo(1);

        assertThat(restarted.json("DELETE", ORDERS + "/override", "")).satisfies(is(200, "\"permits\":3"));
        assertThat(passed(restarted, "initech", 4)).isEqualTo(3);
        assertThat(redis.command("EXISTS", hash(WebStack.REACTIVE))).isEqualTo(0L);
        await().atMost(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(one.get(ORDERS).body()).contains("\"permits\":3"));
    }

    @ParameterizedTest
    @EnumSource
    void overridesAPlanAndForgetsAKey(WebStack stack) throws Exception {
        RunningApplication app = writable(stack);
        app.json("POST", ORDERS + "/override", "{\"permits\": 1, \"plan\": \"gold\"}");
        assertThat(passed(app, "vip", 2)).isEqualTo(1);
        assertThat(passed(app, "acme", 4)).isEqualTo(3);

        assertThat(app.get(ORDERS + "/key?key=vip"))
                .satisfies(is(200, "\"state\":\"denied\""))
                .satisfies(is(200, "\"plan\":\"gold\""));
        assertThat(app.json("DELETE", ORDERS + "/key?key=vip", "")).satisfies(is(200, "forgotten"));
        assertThat(passed(app, "vip", 2)).isEqualTo(1);

        assertThat(app.json("DELETE", ORDERS + "/override?plan=gold", ""))
                .satisfies(is(200, "\"gold\":{\"permits\":30"));
    }

    @ParameterizedTest
    @EnumSource
    void saysThatAnOverrideIsThisInstancesOwnWhereItCountsLocally(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.computeIfAbsent(
                "local " + stack, unused -> start(stack, "endpoint-local-" + stack, WRITABLE, "ratelimit.store=local"));
        assertThat(app.json("POST", ORDERS + "/override", "{\"permits\": 1}"))
                .satisfies(is(200, "\"overrides\":\"this instance only\""));
        assertThat(passed(app, "umbrella", 2)).isEqualTo(1);
        assertThat(app.json("DELETE", ORDERS + "/override", ""))
                .satisfies(is(200, "\"overrides\":\"this instance only\""));
    }

    @ParameterizedTest
    @EnumSource
    void removesTheOverridesOfALimitThatIsGone(WebStack stack) throws Exception {
        String hash = hash(stack);
        RunningApplication app = writable(stack);
        redis.command("HSET", hash, "sold-out", "permits=9", "sold-out/gold", "burst=6", "orders/silver", "permits=7");
        await().untilAsserted(() -> assertThat(app.get("/actuator/ratelimits"))
                .satisfies(is(200, "\"idleOverrides\":[{\"limit\":\"orders\",\"plan\":\"silver\",\"permits\":7}"))
                .satisfies(is(200, "{\"limit\":\"soldout\",\"plan\":\"gold\",\"burst\":6}")));
        assertThat(app.get("/actuator/ratelimits/sold-out")).satisfies(is(404, "No limit is named 'sold-out'"));
        assertThat(app.json("DELETE", ORDERS + "/override?plan=bronze", "")).satisfies(is(404, "no plan 'bronze'"));

        assertThat(app.json("DELETE", "/actuator/ratelimits/sold-out/override", ""))
                .satisfies(is(200, "\"name\":\"sold-out\""));
        assertThat(app.json("DELETE", ORDERS + "/override?plan=silver", "")).satisfies(is(200, "\"permits\":3"));
        assertThat(redis.command("EXISTS", hash)).isEqualTo(0L);
        assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("idleOverrides");
        assertThat(app.json("DELETE", "/actuator/ratelimits/sold-out/override", ""))
                .satisfies(is(404, "No limit is named 'sold-out'"));
    }

    /** The request that {@code docs/tuning.md} shows. */
    @ParameterizedTest
    @EnumSource
    void takesTheOverrideOfThePage(WebStack stack) throws Exception {
        Matcher shown = Pattern.compile("(?s)curl -X POST localhost:8080(\\S+) .*?-d '([^']+)'")
                .matcher(Files.readString(Path.of("..", "docs", "tuning.md")));
        assertThat(shown.find()).isTrue();
        RunningApplication app = writable(stack);
        assertThat(app.json("POST", shown.group(1), shown.group(2)))
                .satisfies(is(200, "\"permits\":100,\"period\":\"1m\",\"burst\":20"));
        assertThat(app.json("DELETE", shown.group(1), "")).satisfies(is(200, "\"permits\":3"));
    }

    @ParameterizedTest
    @EnumSource
    void logsWhatIsWrittenWithoutTheKey(WebStack stack, CapturedOutput output) throws Exception {
        RunningApplication app = writable(stack);
        app.json("POST", ORDERS + "/override", "{\"permits\": 5, \"plan\": \"gold\"}");
        app.json("DELETE", ORDERS + "/override?plan=gold", "");
        app.json("DELETE", ORDERS + "/override", "");
        app.json("DELETE", ORDERS + "/key?key=secret-tenant", "");
        assertThat(output.getOut())
                .contains("Limit 'orders', plan 'gold', is overridden on every instance: permits 5")
                .contains("Limit 'orders', plan 'gold', is no longer overridden on every instance")
                .contains("Limit 'orders' is no longer overridden on every instance")
                .contains("A key of limit 'orders' is forgotten")
                .doesNotContain("secret-tenant");
    }

    @ParameterizedTest
    @EnumSource
    void tellsHowALimitFollowsTheLoad(WebStack stack) throws Exception {
        assertThat(readable(stack).get("/actuator/ratelimits/busy"))
                .satisfies(
                        is(200, "\"adaptive\":{\"statedPermits\":3,\"minPermits\":1,\"highCpu\":0.8,\"lowCpu\":0.5}"));
    }

    private static Consumer<HttpResponse<String>> is(int status, String text) {
        return response -> {
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            assertThat(response.body()).startsWith("{").contains(text);
        };
    }

    private static Consumer<HttpResponse<String>> refuses(String name) {
        return is(400, name + " is nothing that is heeded here.");
    }

    private static int passed(RunningApplication app, String tenant, int calls) throws Exception {
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(app.get("/tenants/" + tenant).statusCode());
        }
        return (int) answers.stream().filter(status -> status == 200).count();
    }

    private RunningApplication readable(WebStack stack) {
        return RUNNING.computeIfAbsent("readable " + stack, unused -> start(stack, "endpoint-" + stack));
    }

    private RunningApplication writable(WebStack stack) {
        return writable("writable " + stack, stack, writableName(stack));
    }

    private RunningApplication writable(String instance, WebStack stack, String name) {
        return RUNNING.computeIfAbsent(instance, unused -> start(stack, name, WRITABLE));
    }

    private static String writableName(WebStack stack) {
        return "endpoint-writable-" + stack;
    }

    private static String hash(WebStack stack) {
        return "ratelimit:" + writableName(stack) + ":overrides";
    }

    private RunningApplication start(WebStack stack, String name, String... more) {
        List<String> properties = List.of(
                "spring.application.name=" + name,
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port(),
                "management.endpoints.web.exposure.include=ratelimits",
                "ratelimit.store-timeout=20s",
                "ratelimit.limits.busy.adaptive.min-permits=1",
                "ratelimit.limits.busy.permits=3",
                "ratelimit.limits.orders.permits=3",
                "ratelimit.limits.orders.period=1h",
                "ratelimit.limits.orders.plans.gold.permits=30");
        return stack.startWith(List.of(Application.class), properties, List.of(more));
    }

    @EnableAutoConfiguration
    @Import({Orders.class, Plans.class})
    static class Application {}

    @RestController
    static class Orders {

        @GetMapping("/tenants/{tenantId}")
        @RateLimited(name = "orders", key = "#tenantId")
        public String order(@PathVariable String tenantId) {
            return "ordered for " + tenantId;
        }

        @GetMapping("/strict/{tenantId}")
        @RateLimited(name = "strict", permits = 1, period = "1h", penalty = "2h", key = "#tenantId")
        public String strict(@PathVariable String tenantId) {
            return "looked after " + tenantId;
        }
    }

    /** Knows one tenant; takes down who asks. */
    static class Plans implements PlanResolver {

        static final Set<String> threads = ConcurrentHashMap.newKeySet();

        @Override
        public @Nullable String planOf(String limit, String key) {
            threads.add(
                    Thread.currentThread().getName() + (Schedulers.isInNonBlockingThread() ? " is an event loop" : ""));
            return key.equals("vip") ? "gold" : null;
        }
    }
}
