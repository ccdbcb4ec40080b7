/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.redis.RedisRateLimitStore;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What two instances, each with half the permits, let through while Redis is away, of a limit that refills all the time. */
@Tag("faults")
class TwoInstancesTests {

    private static final Logger LOG = LoggerFactory.getLogger(TwoInstancesTests.class);
    private static final int INSTANCES = 2;
    private static final double SHARE = 0.5;
    private static final long BURST = 40;
    private static final long PER_SECOND = 20;
    private static final Duration BEFORE = Duration.ofSeconds(1);
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration BACK = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 1_000_000;

    @ParameterizedTest
    @EnumSource
    void aloneTheyLetThroughNoMoreThanTheirShares(FailurePolicy policy) throws Exception {
        try (Place place = Place.open();
                Client one = Client.at(place.way().port(), Client.Kind.LETTUCE);
                Client other = Client.at(place.way().port(), Client.Kind.JEDIS);
                Guarded first = instance(one);
                Guarded second = instance(other);
                Crowd crowd = new Crowd(limit(policy), List.of(first.store, second.store))) {
            Thread.sleep(BEFORE.toMillis());
            place.way().shut();
            Thread.sleep(OUTAGE.toMillis());
            crowd.forget();
            place.way().heal();
            Eventually.until("counted again", BACK, crowd::isCountedByBoth);
            crowd.finish();
            double all = BURST + PER_SECOND * crowd.seconds();
            double alone = INSTANCES * SHARE * (BURST + PER_SECOND * crowd.secondsAlone());
            LOG.info(
                    "Two instances, {}: counted by Redis {} of at most {}; meanwhile by the instances {} of at most {},"
                            + " uncounted {}, refused {}",
                    policy,
                    crowd.byRedis,
                    all,
                    crowd.byInstances,
                    policy == FailurePolicy.LOCAL ? alone : 0,
                    crowd.uncounted,
                    crowd.refused);
            assertThat(crowd.byRedis.sum()).as("by Redis").isBetween(BURST, (long) all);
            switch (policy) {
                case LOCAL -> {
                    assertThat(crowd.byInstances.sum()).as("alone").isBetween(BURST, (long) alone + INSTANCES);
                    assertThat(crowd.uncounted.sum()).isZero();
                }
                case ALLOW -> {
                    assertThat(crowd.byInstances.sum()).isZero();
                    assertThat(crowd.uncounted.sum()).as("no bound").isGreaterThan((long) all);
                }
                case DENY -> {
                    assertThat(crowd.byInstances.sum()).isZero();
                    assertThat(crowd.uncounted.sum()).isZero();
                    assertThat(crowd.refused.sum()).isPositive();
                }
            }
        }
    }

    private static Guarded instance(Client client) {
        return Guarded.over(
                client.connections(), RedisRateLimitStore::new, Map.of("ratelimit.local-share", "" + SHARE));
    }

    private static Limit limit(FailurePolicy policy) {
        return Limit.named("shared")
                .algorithm(Algorithm.TOKEN_BUCKET)
                .permits(PER_SECOND)
                .period(Duration.ofSeconds(1))
                .burst(BURST)
                .onStoreFailure(policy)
                .build();
    }

    /** One caller of each instance, who asks for one permit after the other. */
    private static final class Crowd implements AutoCloseable {

        private final LongAdder byRedis = new LongAdder();
        private final LongAdder byInstances = new LongAdder();
        private final LongAdder uncounted = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final Limit limit;
        private final List<Thread> callers;
        private final LongAccumulator firstAlone = new LongAccumulator(Math::min, Long.MAX_VALUE);
        private final LongAccumulator lastAlone = new LongAccumulator(Math::max, 0);
        private final List<AtomicBoolean> counted;
        private final long began = System.nanoTime();
        private long ended;
        private volatile boolean over;

        Crowd(Limit limit, List<RateLimitStore> stores) {
            this.limit = limit;
            this.counted = stores.stream().map(store -> new AtomicBoolean()).toList();
            this.callers = stores.stream()
                    .map(store -> new Thread(() -> call(store, stores.indexOf(store))))
                    .toList();
            callers.forEach(Thread::start);
        }

        private void call(RateLimitStore store, int instance) {
            while (!over) {
                Decision decision = Stages.await(store.acquire(List.of(Charge.of(limit, Load.KEY, 1))));
                if (decision instanceof Uncounted) {
                    uncounted.increment();
                } else if (!decision.passes()) {
                    refused.increment();
                } else if (isOfRedis((Allowed) decision)) {
                    byRedis.increment();
                    counted.get(instance).set(true);
                } else {
                    byInstances.increment();
                    long now = System.nanoTime() - began;
                    firstAlone.accumulate(now);
                    lastAlone.accumulate(now);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        void forget() {
            counted.forEach(answered -> answered.set(false));
        }

        /** Whether Redis has granted something to both since. */
        boolean isCountedByBoth() {
            return counted.stream().allMatch(AtomicBoolean::get);
        }

        void finish() {
            over = true;
            for (Thread caller : callers) {
                Eventually.until(caller + " was answered", BACK, () -> !caller.isAlive());
            }
            ended = System.nanoTime();
        }

        /** From the first permit that an instance granted alone to the last. */
        double secondsAlone() {
            return Math.max(0, lastAlone.get() - firstAlone.get()) / 1e9;
        }

        /** How long they asked. */
        double seconds() {
            return (ended - began) / 1e9;
        }

        @Override
        public void close() {
            finish();
        }

        /** What an instance counts alone has its share of the numbers. */
        private boolean isOfRedis(Allowed decision) {
            return decision.definition().equals(limit);
        }
    }
}
