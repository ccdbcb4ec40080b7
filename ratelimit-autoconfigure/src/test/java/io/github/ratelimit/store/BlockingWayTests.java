/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static io.github.ratelimit.store.Scene.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread that waits for its decision gets what a stage would have told it, from every store on the way. */
class BlockingWayTests {

    private static final Limit LIMIT = Scene.limit("orders", 3, FailurePolicy.ALLOW);
    private static final Limit OWN = Scene.limit("own", 3, more -> more.perInstance(true));

    private final AtomicLong nanos = new AtomicLong();
    private final LocalRateLimitStore behind = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 100);
    private final LocalRateLimitStore own = new LocalRateLimitStore(() -> 1_700_000_000_000_000L, 100);
    private final HeldStore shared = new HeldStore(behind);
    private final DenialCache cache = new DenialCache(shared, () -> false, true, () -> false, nanos::get);
    private final List<String> times = new ArrayList<>();
    private final RateLimitStore store =
            new TimedStore(new PerInstanceStore(cache, own), "redis", (name, took) -> times.add(name));
    private final List<Decision> late = new ArrayList<>();

    @AfterEach
    void unflagged() {
        assertThat(Thread.interrupted()).isFalse();
    }

    private Decision acquire(Charge... charges) throws InterruptedException, ExecutionException {
        return store.acquireBlocking(List.of(charges), late::add);
    }

    @Test
    void itIsDecidedAndTimed() throws Exception {
        assertThat(acquire(Charge.of(LIMIT, KEY, 2))).isEqualTo(new Allowed(LIMIT, 1, 2_000_000, 0));
        assertThat(times).containsExactly("redis");
        assertThat(Scene.remaining(behind, LIMIT)).isEqualTo(1);
    }

    @Test
    void aDenialIsHeardAndRepeatedWithoutAsking() throws Exception {
        acquire(Charge.of(LIMIT, KEY, 3));
        Decision first = acquire(Charge.of(LIMIT, KEY, 1));
        int asked = shared.asked();
        assertThat(first).isInstanceOf(Denied.class);
        assertThat(acquire(Charge.of(LIMIT, KEY, 1))).isEqualTo(first);
        assertThat(store.knownDenial(LIMIT, KEY, 1)).isEqualTo(first);
        assertThat(shared.asked()).isEqualTo(asked);
    }

    @Test
    void limitsOfThisInstanceAreCountedHere() throws Exception {
        assertThat(acquire(Charge.of(OWN, KEY, 1)).passes()).isTrue();
        assertThat(times).containsExactly("local");
        assertThat(acquire(Charge.of(OWN, KEY, 1), Charge.of(LIMIT, KEY, 1)).passes())
                .isTrue();
        assertThat(Scene.remaining(own, OWN)).isEqualTo(1);
        assertThat(Scene.remaining(behind, LIMIT)).isEqualTo(2);
    }

    @Test
    void aStoreThatCannotAnswerSaysSoAndIsNotTimed() {
        shared.is(Mode.REFUSES);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> acquire(Charge.of(LIMIT, KEY, 1)))
                .withCauseInstanceOf(RateLimitStoreException.class);
        assertThat(times).isEmpty();
    }

    @Test
    void whoIsInterruptedHearsNothingAndTheAnswerIsLate() {
        shared.is(Mode.HOLDS);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> acquire(Charge.of(LIMIT, KEY, 1)));
        assertThat(late).isEmpty();
        shared.open();
        assertThat(late).hasSize(1).first().isInstanceOf(Allowed.class);
        assertThat(times).containsExactly("redis");
    }

    @Test
    void aDenialThatComesTooLateForItsCallerIsHeardForOthers() throws Exception {
        acquire(Charge.of(LIMIT, KEY, 3));
        shared.is(Mode.HOLDS);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> acquire(Charge.of(LIMIT, KEY, 1)));
        shared.open();
        assertThat(late).containsExactly(store.knownDenial(LIMIT, KEY, 1));
    }
}
