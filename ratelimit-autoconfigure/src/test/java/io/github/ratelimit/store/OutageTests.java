/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.limit;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.RealRedis.Client;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a real Redis can do to a call: pause, die, come back. */
@ExtendWith(OutputCaptureExtension.class)
class OutageTests {

    private static final String KEY = "alice";
    private static final Limit LOCAL =
            limit("local", 10, more -> more.period(Duration.ofDays(1)).onStoreFailure(FailurePolicy.LOCAL));
    private static final Limit ALLOW = limit("allow", 10, FailurePolicy.ALLOW);
    private static final Limit DENY = limit("deny", 10, FailurePolicy.DENY);

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void whilePausedEachPolicyDecidesInTimeAndLimitingReturnsByItself(Client client, CapturedOutput output) {
        try (RealRedis redis = new RealRedis(server, client)) {
            redis.spend(Charge.of(LOCAL, KEY, 7));
            server.pause();
            redis.untilAway(ALLOW);
            int asked = redis.counted.asked();
            assertThat(((Allowed) redis.acquire(Charge.of(LOCAL, KEY, 1))).remaining())
                    .isEqualTo(9);
            assertThat(redis.acquire(Charge.of(ALLOW, KEY, 1))).isEqualTo(new Uncounted("allow", null));
            assertThat(((Denied) redis.acquire(Charge.of(DENY, KEY, 1))).reason())
                    .isEqualTo(DenialReason.STORE_UNAVAILABLE);
            assertThat(((Denied) redis.acquire(
                                    Charge.of(ALLOW, KEY, 1), Charge.of(LOCAL, KEY, 5), Charge.of(DENY, KEY, 1)))
                            .limit())
                    .isEqualTo("deny");
            for (int i = 0; i < 2_000; i++) {
                redis.acquire(Charge.of(ALLOW, KEY, 1));
            }
            assertThat(redis.counted.asked() - asked).as("probes").isLessThan(20);
            assertThat(redis.heard).contains("timeout");
            server.resume();
            assertThat(redis.untilBack(ALLOW)).isLessThan(Duration.ofSeconds(10));
            RealRedis.until(() -> redis.left(LOCAL, KEY) == 3);
            RealRedis.until(() -> ((Allowed) redis.acquire(Charge.of(LOCAL, KEY, 0))).remaining() == 3);
            RealRedis.until(() -> output.getAll().contains("Redis answers again"));
            assertThat(output.getAll().lines().filter(line -> line.contains("WARN") && line.contains("Steadfast")))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("Redis does not answer in time")
                    .doesNotContain(KEY);
        }
    }

    /** What writes nothing is answered in between, so no outage begins: the way to a master is looked for nevertheless. */
    @Test
    void aMasterThatBecameAReplicaIsLeftWhileDenialsAreAnswered(CapturedOutput output) {
        try (RealRedis redis = new RealRedis(server, Client.LETTUCE).connected()) {
            redis.acquire(Charge.of(DENY, KEY, 1));
            Set<String> before = calling();
            assertThat(before).isNotEmpty();
            server.command("REPLICAOF", "127.0.0.1", "1");
            for (int i = 0; i < 2 * Outage.MANY_REFUSED; i++) {
                assertThat(((Denied) redis.acquire(Charge.of(DENY, "bob", 1))).reason())
                        .isEqualTo(DenialReason.STORE_UNAVAILABLE);
                assertThat(redis.acquire(Charge.of(DENY, KEY, 0))).isInstanceOf(Allowed.class);
            }
            RealRedis.until(() -> {
                redis.acquire(Charge.of(DENY, KEY, 0));
                return !before.containsAll(calling());
            });
            assertThat(redis.heard).containsOnly("readonly");
            assertThat(output.getAll().lines().filter(line -> line.contains("WARN") && line.contains("Steadfast")))
                    .singleElement()
                    .asString()
                    .contains("Redis is a read-only replica", "answers what writes nothing", "Connect to the master")
                    .doesNotContain(KEY);
            server.command("REPLICAOF", "NO", "ONE");
            RealRedis.until(() -> redis.acquire(Charge.of(DENY, "bob", 1)).passes());
        }
    }

    /** The connections on which scripts were called last. */
    private Set<String> calling() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" cmd=eval"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    @Test
    void aCallThatTimedOutButHappenedIsGivenBack() {
        try (RealRedis redis = new RealRedis(server, Client.LETTUCE)) {
            redis.spend(Charge.of(LOCAL, KEY, 1));
            server.pause();
            Allowed here = (Allowed) redis.acquire(Charge.of(LOCAL, KEY, 3));
            assertThat(here.remaining()).isEqualTo(7);
            server.resume();
            RealRedis.until(() -> redis.counted.givenBack() == 1);
            RealRedis.until(() -> redis.left(LOCAL, KEY) == 9);
            assertThat(redis.counted.asked()).as("never asked twice").isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void killedAndRestartedItIsUsedAgain(Client client) {
        try (RealRedis redis = new RealRedis(server, client)) {
            redis.spend(Charge.of(LOCAL, KEY, 7));
            server.kill();
            redis.untilAway(ALLOW);
            assertThat(((Allowed) redis.acquire(Charge.of(LOCAL, KEY, 1))).remaining())
                    .isEqualTo(9);
            server.restart();
            assertThat(redis.untilBack(ALLOW)).isLessThan(Duration.ofSeconds(10));
            countsInRedisAgain(redis);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutRedisAtTheStartCallsAreDecidedUntilItAppears(Client client, CapturedOutput output) {
        server.stop();
        try (RealRedis redis = new RealRedis(server, client)) {
            redis.untilAway(LOCAL);
            assertThat(redis.heard).contains("connection");
            assertThat(output.getAll()).contains("Redis cannot be reached", ":" + server.port(), "spring.data.redis");
            server.restart();
            redis.untilBack(LOCAL);
            countsInRedisAgain(redis);
        }
    }

    private static void countsInRedisAgain(RealRedis redis) {
        RealRedis.until(() -> {
            redis.acquire(Charge.of(LOCAL, "bob", 1));
            return redis.left(LOCAL, "bob") < 10;
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyCallerIsAnsweredWhilePaused(Client client) throws Exception {
        try (RealRedis redis = new RealRedis(server, client)) {
            redis.spend(Charge.of(LOCAL, KEY, 1));
            server.pause();
            AtomicInteger granted = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Thread thread = new Thread(() -> {
                    for (int call = 0; call < 100; call++) {
                        granted.addAndGet(
                                redis.acquire(Charge.of(LOCAL, KEY, 1)).passes() ? 1 : 0);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(granted).hasValue(10);
            server.resume();
            redis.untilBack(ALLOW);
            RealRedis.until(() -> redis.left(LOCAL, KEY) == 9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyRefusalOfRedisIsTakenByItsCause(Client client) {
        try (RealRedis redis = new RealRedis(server, client)) {
            redis.connected();
            hearsOf("oom", redis, "CONFIG", "SET", "maxmemory", "1");
            server.command("CONFIG", "SET", "maxmemory", "0");
            hearsOf("readonly", redis, "REPLICAOF", "127.0.0.1", "1");
            server.command("REPLICAOF", "NO", "ONE");
            hearsOf("noperm", redis, "ACL", "SETUSER", "default", "-evalsha", "-eval");
            server.command("ACL", "SETUSER", "default", "+@all");
            String in2100 = "4102444800000000%03d".formatted(LOCAL.fingerprint());
            hearsOf("clock", redis, "SET", RealRedis.PREFIX + ":local:{foreign}:tb1", in2100);
            server.flush();
            hearsOf("wrongtype", redis, "RPUSH", RealRedis.PREFIX + ":local:{foreign}:tb1", "foreign");
        }
    }

    /** Calls go on while the server is told something, and one fails of this cause. */
    private static void hearsOf(String cause, RealRedis redis, String... command) {
        redis.untilBack(LOCAL);
        redis.heard.clear();
        redis.server.command(command);
        RealRedis.until(() -> {
            redis.acquire(Charge.of(LOCAL, "foreign", 1));
            return redis.heard.contains(cause);
        });
    }
}
