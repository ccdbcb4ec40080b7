/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.testkit.Stages;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A denial that is known is what the store would say, and costs nothing but the answer. */
class KnownDenialTests {

    private static final String KEY = "alice";
    private static final Limit LIMIT = Limit.named("limit")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .permits(1)
            .period(Duration.ofMinutes(1))
            .build();

    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
    private final HeldStore shared = new HeldStore(new LocalRateLimitStore(micros::get, 1_000));
    private final DenialCache cache = new DenialCache(shared, away::get, true, () -> false, () -> micros.get() * 1_000);
    private final PerInstanceStore store = new PerInstanceStore(cache, new LocalRateLimitStore(micros::get, 1_000));

    private Decision acquire(Limit limit) {
        return Stages.await(store.acquire(List.of(Charge.of(limit, KEY, 1))));
    }

    @Test
    void isWhatTheStoreWouldSay() {
        assertThat(store.knownDenial(LIMIT, KEY, 1)).isNull();
        acquire(LIMIT);
        assertThat(store.knownDenial(LIMIT, KEY, 1)).as("not denied yet").isNull();
        acquire(LIMIT);
        micros.addAndGet(300_000);
        int asked = shared.asked();
        assertThat(store.knownDenial(LIMIT, KEY, 1)).isNotNull().isEqualTo(acquire(LIMIT));
        assertThat(store.knownDenial(LIMIT, "bob", 1)).isNull();
        assertThat(store.knownDenial(LIMIT, KEY, 0)).isNull();
        assertThat(shared.asked()).isEqualTo(asked);
    }

    @Test
    void isNotKnownWhileTheStoreIsAway() {
        acquire(LIMIT);
        acquire(LIMIT);
        away.set(true);
        assertThat(store.knownDenial(LIMIT, KEY, 1)).isNull();
    }

    /** Measured on this thread, which nobody else's work disturbs. */
    @Test
    void isAllThatIsMade() {
        acquire(LIMIT);
        acquire(LIMIT);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int calls = 10_000;
        long denied = 0;
        long before = 0;
        for (int i = -calls; i < calls; i++) {
            if (i == 0) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            denied += store.knownDenial(LIMIT, KEY, 1) == null ? 0 : 1;
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(denied).isEqualTo(2L * calls);
        assertThat((double) bytes / calls).isLessThanOrEqualTo(64);
    }
}
