/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.DenialCache;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A denial that is known takes a shorter way, and nobody can tell but by the time. */
class KnownDenialAtTheDoorTests {

    private final Hall hall = new Hall()
            .with(Hall.bucket("slow", 1, Duration.ofMinutes(1)))
            .over(store -> new DenialCache(store, () -> false, true, () -> false));
    private final RateLimiter limiter = new DefaultRateLimiter(hall.door());

    @AfterEach
    void close() {
        hall.close();
    }

    private void spend() {
        assertThat(limiter.tryAcquire("slow", "alice")).isInstanceOf(Allowed.class);
        assertThat(limiter.tryAcquire("slow", "alice")).isInstanceOf(Denied.class);
    }

    @Test
    void listenersHearItOnce() {
        assertThat(hall.door().knownDenial(new Ask("slow", null, "alice", 1), Duration.ZERO))
                .isNull();
        spend();
        Decision again = limiter.tryAcquire("slow", "alice");
        assertThat(hall.heard.decisions).hasSize(3).last().isSameAs(again);
    }

    @Test
    void listenersHearItOnceOfACallWithoutAThread() {
        spend();
        Decision again = now(limiter.tryAcquireAsync("slow", "alice"));
        assertThat(hall.heard.decisions).hasSize(3).last().isSameAs(again);
    }

    /** The answer and its stage; a call that is decided takes several times as much. Measured on this thread. */
    @Test
    void nothingElseIsMadeForACallWithoutAThread() {
        spend();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int calls = 5_000;
        int denied = 0;
        long before = 0;
        for (int i = -calls; i < calls; i++) {
            if (i == 0) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            denied += now(limiter.tryAcquireAsync("slow", "alice")) instanceof Denied ? 1 : 0;
            hall.heard.decisions.clear();
            hall.heard.threads.clear();
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(denied).isEqualTo(2 * calls);
        assertThat(bytes / calls).isLessThan(400);
    }

    @Test
    void whoeverWaitsIsNotToldSo() {
        spend();
        assertThat(hall.door().knownDenial(new Ask("slow", null, "alice", 1), Duration.ZERO))
                .isNotNull();
        assertThat(hall.door().knownDenial(new Ask("slow", null, "alice", 1), Duration.ofMillis(1)))
                .isNull();
    }

    @Test
    void anotherCallerIsAsked() {
        spend();
        assertThat(limiter.tryAcquire("slow", "bob")).isInstanceOf(Allowed.class);
    }

    private static @Nullable Decision now(CompletionStage<Decision> answer) {
        return answer.toCompletableFuture().getNow(null);
    }
}
