/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.SlotMove;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call over several slots: one trip per slot, and what was charged is given back when a later slot denies. */
@WithRedis
class ClusterTests {

    @Nested
    class ThroughLettuce extends OverSlots {
        ThroughLettuce(RedisCluster cluster) {
            super(cluster, Client.Kind.LETTUCE);
        }
    }

    @Nested
    class ThroughJedis extends OverSlots {
        ThroughJedis(RedisCluster cluster) {
            super(cluster, Client.Kind.JEDIS);
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class OverSlots {

        private final RedisCluster cluster;
        private final CommandStats stats;
        private final Client client;
        private final RedisRateLimitStore store;

        /** Keys that live on the first, second and third master. */
        private final List<String> keys;

        OverSlots(RedisCluster cluster, Client.Kind kind) {
            this.cluster = cluster;
            this.stats = new CommandStats(cluster.masters());
            this.client = Client.of(cluster, kind);
            this.store = client.store();
            this.keys = cluster.masters().stream().map(cluster::keyOf).toList();
        }

        @BeforeEach
        void flush() {
            cluster.flush();
        }

        @AfterAll
        void close() {
            store.close();
            client.close();
        }

        @ParameterizedTest
        @EnumSource
        void aGrantIsOneTripPerSlot(Kind kind) {
            List<Charge> charges = charges(kind, 5, 5, 5);
            Stages.await(store.acquire(charges));
            stats.reset();
            Allowed granted = (Allowed) Stages.await(store.acquire(charges));
            assertThat(trips()).isEqualTo(3);
            assertThat(granted.remaining()).isEqualTo(3);
            assertThat(granted.parts()).hasSize(3);
        }

        @Test
        void limitsOfOneKeyAreOneTrip() {
            List<Charge> charges = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                charges.add(kind.charge(limit(kind, kind.name(), 5), "}{\u0000 one key", 1));
            }
            Stages.await(store.acquire(charges));
            stats.reset();
            assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
            assertThat(trips()).isEqualTo(1);
        }

        @ParameterizedTest
        @EnumSource
        void countersOfAKeyOnItsWayToAnotherNodeAreAskedOneByOne(Kind kind) {
            List<Charge> charges = Stream.of(5, 4, 2)
                    .map(permits -> kind.charge(limit(kind, "permits-" + permits, permits), keys.get(0), 1))
                    .toList();
            assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
            SlotMove move = cluster.move(keys.get(0), cluster.masters().get(1));
            try {
                move.take(keyOf(move, "permits-4"));
                stats.reset();
                assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
                assertThat(stats.calls()).containsKey("asking").containsEntry("evalsha", 3);
                Denied denied = (Denied) Stages.await(store.acquire(charges));
                assertThat(denied.limit()).isEqualTo("permits-2");
                assertThat(remaining(charges)).containsExactly(3L, 2L, 0L);
                assertThat(Stages.await(store.peek(charges)).parts()).hasSize(3);
                Stages.await(store.refund(charges));
                assertThat(remaining(charges)).containsExactly(4L, 3L, 1L);
                Reservation reservation = Stages.await(store.reserve(charges));
                assertThat(remaining(charges)).containsExactly(3L, 2L, 0L);
                // what a bucket granted at once is spent; a paced one grants departures, which are yet to come
                long cancelled = kind.isBucket() && kind != Kind.LEAKY_BUCKET ? 0 : 1;
                assertThat(Stages.await(store.cancel(reservation))).isEqualTo(3 * cancelled);
                assertThat(remaining(charges)).containsExactly(3 + cancelled, 2 + cancelled, cancelled);
            } finally {
                move.abandon();
            }
        }

        /** Its entries are written anew, and must not be gone for a moment: then they would be looked for at the new place. */
        @Test
        void aLogThatGetsLargerNumbersWhileItsSlotMovesKeepsItsCount() {
            Limit small = limit(Kind.SLIDING_WINDOW_LOG, "log", 5);
            Limit large = limit(Kind.SLIDING_WINDOW_LOG, "log", 5_000);
            Stages.await(store.acquire(List.of(Charge.of(small, keys.get(0), 3))));
            SlotMove move = cluster.move(keys.get(0), cluster.masters().get(1));
            try {
                Allowed granted = (Allowed) Stages.await(store.acquire(List.of(Charge.of(large, keys.get(0), 1))));
                assertThat(granted.remaining()).isEqualTo(4_996);
            } finally {
                move.abandon();
            }
        }

        private static String keyOf(SlotMove move, String limit) {
            return move.left().stream()
                    .filter(key -> key.contains(limit))
                    .findFirst()
                    .orElseThrow();
        }

        @ParameterizedTest
        @EnumSource
        void aDenialByTheLastSlotGivesTheOthersBack(Kind kind) {
            List<Charge> charges = charges(kind, 5, 5, 1);
            assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
            stats.reset();
            Denied denied = (Denied) Stages.await(store.acquire(charges));
            assertThat(trips()).isEqualTo(5);
            assertThat(denied.limit()).isEqualTo(charges.get(2).limit().name());
            assertThat(denied.parts()).hasSize(3);
            assertThat(((Allowed) denied.parts().get(0)).remaining()).isEqualTo(4);
            assertThat(remaining(charges)).containsExactly(4L, 4L, 0L);
        }

        @ParameterizedTest
        @EnumSource
        void aDenialByTheFirstSlotChargesNoOther(Kind kind) {
            List<Charge> charges = charges(kind, 1, 5, 5);
            assertThat(Stages.await(store.acquire(charges)).passes()).isTrue();
            stats.reset();
            Denied denied = (Denied) Stages.await(store.acquire(charges));
            assertThat(trips()).isEqualTo(3);
            assertThat(stats.calls()).doesNotContainKeys("psetex", "rpush", "del");
            assertThat(denied.limit()).isEqualTo(charges.get(0).limit().name());
            assertThat(denied.parts()).hasSize(3);
            assertThat(remaining(charges)).containsExactly(0L, 4L, 4L);
        }

        @ParameterizedTest
        @EnumSource
        void reservationsAreCancelledOnEverySlot(Kind kind) {
            List<Charge> charges = charges(kind, 1, 1, 1).stream()
                    .map(charge -> charge.waiting(Charge.LONGEST_WAIT_MICROS))
                    .toList();
            if (kind.isBucket()) {
                charges = charges.stream()
                        .map(charge -> new Charge(
                                charge.limit()
                                        .with()
                                        .permits(5)
                                        .period(Duration.ofMinutes(5))
                                        .burst(2L)
                                        .build(),
                                charge.key(),
                                1,
                                charge.maxWaitMicros()))
                        .toList();
                Stages.await(store.acquire(charges));
                Stages.await(store.acquire(
                        charges.stream().map(one -> one.waiting(0)).toList()));
            }
            Reservation reservation = Stages.await(store.reserve(charges));
            assertThat(reservation.decision().passes()).isTrue();
            assertThat(reservation.holds()).hasSize(3);
            assertThat(Stages.await(store.cancel(reservation))).isEqualTo(3);
        }

        @ParameterizedTest
        @EnumSource
        void callersAtOnceNeverGetOneTooMany(Kind kind) {
            List<Charge> charges = charges(kind, 40, 30, 20);
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<CompletableFuture<Integer>> callers = IntStream.range(0, 4)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> grants(charges), threads))
                        .toList();
                int granted = callers.stream().mapToInt(Stages::await).sum();
                assertThat(granted).isLessThanOrEqualTo(20);
                while (Stages.await(store.acquire(charges)).passes()) {
                    granted++;
                }
                assertThat(granted).isLessThanOrEqualTo(20);
                if (kind != Kind.LEAKY_BUCKET) { // a departure that others have reserved behind stays taken
                    assertThat(granted).isEqualTo(20);
                    assertThat(remaining(charges)).containsExactly(20L, 10L, 0L);
                }
            } finally {
                threads.shutdownNow();
            }
        }

        private int grants(List<Charge> charges) {
            int granted = 0;
            for (int i = 0; i < 12; i++) {
                granted += Stages.await(store.acquire(charges)).passes() ? 1 : 0;
            }
            return granted;
        }

        private List<Charge> charges(Kind kind, long first, long second, long third) {
            return List.of(
                    kind.charge(limit(kind, "first", first), keys.get(0), 1),
                    kind.charge(limit(kind, "second", second), keys.get(1), 1),
                    kind.charge(limit(kind, "third", third), keys.get(2), 1));
        }

        private static Limit limit(Kind kind, String name, long permits) {
            // slow enough that nothing comes back while the test runs, and a paced bucket's line is below an hour
            Duration period = Duration.ofMinutes(permits);
            return kind.named(name)
                    .permits(permits)
                    .period(kind.isBucket() ? period : Duration.ofDays(1))
                    .build();
        }

        private List<Long> remaining(List<Charge> charges) {
            return charges.stream()
                    .map(one -> Stages.await(store.peek(List.of(Charge.of(one.limit(), one.key(), 0)))))
                    .map(Allowed.class::cast)
                    .map(Allowed::remaining)
                    .toList();
        }

        private int trips() {
            return stats.calls().getOrDefault("evalsha", 0);
        }
    }
}
