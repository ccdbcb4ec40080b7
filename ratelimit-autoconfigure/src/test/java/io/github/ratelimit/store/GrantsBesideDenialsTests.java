/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.HeldStore.Mode;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is granted, and what a {@link DenialCache} says of denials that were decided before. */
class GrantsBesideDenialsTests {

    private static final String KEY = "alice";
    private static final Limit TEN = Limit.named("limit")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .permits(10)
            .period(Duration.ofSeconds(1))
            .build();

    private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
    private final LocalRateLimitStore behind = new LocalRateLimitStore(micros::get, 10_000);
    private final HeldStore shared = new HeldStore(behind);
    private final DenialCache store =
            new DenialCache(shared, () -> false, true, () -> false, () -> micros.get() * 1_000);

    private static List<Charge> of(String key, long cost) {
        return List.of(Charge.of(TEN, key, cost));
    }

    private Decision acquire(String key, long cost) {
        return Stages.await(store.acquire(of(key, cost)));
    }

    /** Both are decided in this order, and heard the other way round. */
    private void hearTheSecondFirst(CompletionStage<?> first, CompletionStage<?> second) {
        List<Runnable> held = shared.takeHeld();
        held.get(1).run();
        assertThat(second).isCompleted();
        assertThat(first.toCompletableFuture()).isNotDone();
        held.get(0).run();
        assertThat(Stages.await(first)).isInstanceOf(Denied.class);
        shared.open();
    }

    /** Of a cost of two, of which one permit was there: it was denied for 100 ms, which the grant has made 200 ms. */
    @ParameterizedTest
    @ValueSource(strings = {"acquire", "acquireUpTo", "reserve"})
    void aDenialThatIsHeardAfterAGrantIsNotRemembered(String how) {
        Function<List<Charge>, CompletionStage<?>> grant = switch (how) {
            case "acquire" -> store::acquire;
            case "reserve" -> store::reserve;
            default -> charges -> store.acquireUpTo(charges.get(0));
        };
        Stages.await(behind.acquire(of(KEY, 9)));
        shared.is(Mode.KEEPS_ANSWERS);
        hearTheSecondFirst(store.acquire(of(KEY, 2)), grant.apply(of(KEY, 1)));
        micros.addAndGet(10_000);
        assertThat(((Denied) acquire(KEY, 2)).retryAfterMicros()).isEqualTo(190_000);
        micros.addAndGet(189_999);
        assertThat(acquire(KEY, 2)).isInstanceOf(Denied.class);
        micros.addAndGet(1);
        assertThat(acquire(KEY, 2)).isInstanceOf(Allowed.class);
    }

    @Test
    void whatALookFindsBeforeAGrantIsNotRememberedAfterIt() {
        Limit slow = TEN.with().period(Duration.ofSeconds(20)).build();
        Stages.await(behind.acquire(List.of(Charge.of(slow, KEY, 9))));
        Stages.await(store.acquire(List.of(Charge.of(slow, KEY, 2))));
        micros.addAndGet(750_000);
        shared.is(Mode.KEEPS_ANSWERS);
        assertThat(Stages.await(store.acquire(List.of(Charge.of(slow, KEY, 2)))))
                .as("this one looks")
                .isInstanceOf(Denied.class);
        CompletionStage<Decision> granted = store.acquire(List.of(Charge.of(slow, KEY, 1)));
        List<Runnable> held = shared.takeHeld();
        held.get(1).run();
        assertThat(granted).isCompleted();
        held.get(0).run();
        shared.open();
        assertThat(store.knownDenial(slow, KEY, 2)).isNull();
    }

    /** Stamps are shared: a grant must not cost other keys what is known of theirs. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100_000})
    void aGrantForgetsNothingOfOtherKeys(long passMicros) {
        String neighbour = keyThatSharesTheStamp();
        Stages.await(behind.acquire(of(neighbour, 9)));
        assertThat(acquire(neighbour, 2)).isInstanceOf(Denied.class);
        micros.addAndGet(passMicros);
        Stages.await(behind.acquire(of(KEY, 10)));
        assertThat(acquire(KEY, 10)).isInstanceOf(Denied.class);
        assertThat(acquire(neighbour, 1)).isInstanceOf(Allowed.class);
        assertThat(store.knownDenial(TEN, KEY, 10)).isNotNull();
    }

    /** Whatever is given back to one of them is not believed of the other. */
    private String keyThatSharesTheStamp() {
        for (int i = 0; ; i++) {
            Stages.await(behind.acquire(of(KEY, 10)));
            acquire(KEY, 10);
            Stages.await(store.reset(TEN, "key-" + i));
            if (store.knownDenial(TEN, KEY, 10) == null) {
                Stages.await(store.reset(TEN, KEY));
                return "key-" + i;
            }
        }
    }
}
