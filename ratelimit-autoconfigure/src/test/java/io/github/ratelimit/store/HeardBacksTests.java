/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static io.github.ratelimit.store.Scene.one;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What happens to a counter after its caller was told that it did not: a cache of denials hears of it. */
class HeardBacksTests {

    private static final Limit LIMIT = Scene.limit("limit", 3, FailurePolicy.ALLOW);

    private final Scene scene = new Scene();
    private final DenialCache store = new DenialCache(scene.store, () -> false, true, () -> false, scene.nanos::get);

    HeardBacksTests() {
        scene.store.onGivenBack(store::forget);
    }

    private Decision acquire() {
        return Stages.await(store.acquire(List.of(one(LIMIT))));
    }

    /** It times out, others are denied meanwhile, then it happens. */
    private void happensLate(Supplier<CompletionStage<?>> operation) {
        Stages.await(scene.redis.acquire(List.of(Charge.of(LIMIT, KEY, 3))));
        scene.shared.is(Mode.HOLDS);
        CompletionStage<?> told = operation.get();
        List<Runnable> held = scene.shared.takeHeld();
        scene.shared.open();
        scene.pass(Scene.TIMEOUT);
        assertThat(told).isCompletedExceptionally();
        assertThat(acquire()).isInstanceOf(Denied.class);
        assertThat(store.knownDenial(LIMIT, KEY, 1)).isNotNull();
        held.forEach(Runnable::run);
    }

    @Test
    void aResetThatHappensLateIsSeenAtOnce() {
        happensLate(() -> store.reset(LIMIT, KEY));
        assertThat(acquire().passes()).isTrue();
    }

    @Test
    void aLockThatHappensLateIsSeenAtOnce() {
        happensLate(() -> store.lock(LIMIT, KEY, Duration.ofMinutes(1)));
        assertThat(((Denied) acquire()).reason()).isEqualTo(DenialReason.PENALTY);
    }
}
