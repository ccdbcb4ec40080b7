/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limits;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.Tuning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A resolver of plans that may be slow is never called on an event loop. */
class SlowPlansTests {

    private static final List<Ask> ACME = List.of(new Ask("orders", null, "acme", 1));

    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "may-block"));
    private final CompletableFuture<@Nullable String> plan = new CompletableFuture<>();
    private volatile @Nullable Thread asked;
    private volatile boolean onEventLoop = true;
    private final LimitCatalog catalog = new LimitCatalog(tuning(), this::planOf);
    private final LocalRateLimitStore store = new LocalRateLimitStore(100);
    private @Nullable Door door;

    @BeforeEach
    void open() {
        catalog.check();
        Thread loop = Thread.currentThread();
        door = new Door(
                catalog,
                store,
                List.of(),
                Waiting.DEFAULT,
                executor,
                () -> onEventLoop && Thread.currentThread() == loop,
                () -> null);
    }

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    @Test
    void keepsAnEventLoopFree() throws Exception {
        CompletableFuture<Decision> decision = door().acquire(ACME, Duration.ZERO);
        assertThat(decision).isNotDone();

        plan.complete("gold");

        assertThat(decision.get(10, TimeUnit.SECONDS).plan()).isEqualTo("gold");
        assertThat(String.valueOf(asked)).contains("may-block");
    }

    @Test
    void takesNothingForACallerThatGaveUpMeanwhile() throws Exception {
        CompletableFuture<Decision> decision = door().acquire(ACME, Duration.ZERO);
        decision.cancel(false);
        plan.complete("gold");
        executor.submit(() -> {}).get(10, TimeUnit.SECONDS);

        assertThat(remaining()).isEqualTo(5);
    }

    @Test
    void isAskedElsewhereForABlockingCallOnAnEventLoop() {
        plan.complete("gold");

        assertThat(door().acquireBlocking(ACME, Duration.ZERO).plan()).isEqualTo("gold");
        assertThat(String.valueOf(asked)).contains("may-block");
    }

    @Test
    void isAskedRightHereOnAnyOtherThread() {
        onEventLoop = false;
        plan.complete("gold");

        assertThat(door().acquire(ACME, Duration.ZERO)).isCompleted();
        assertThat(asked).isSameAs(Thread.currentThread());
    }

    @Test
    void isNotAskedWhereTheCallerNamesThePlan() {
        assertThat(door().acquire(List.of(new Ask("orders", "gold", "acme", 1)), Duration.ZERO))
                .isCompleted();
        assertThat(door().acquire(List.of(new Ask("plain", null, "acme", 1)), Duration.ZERO))
                .isCompleted();
        assertThat(asked).isNull();
    }

    @Test
    void tellsTheMistakeThatWasFoundElsewhere() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> door().acquire(List.of(new Ask("nosuch", null, "acme", 1)), Duration.ZERO)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join())
                .withCauseInstanceOf(UnknownLimitException.class);
    }

    @Test
    void tellsTheMistakeAsItIsThoughItWasFoundElsewhereAtOnce() {
        Door inline = new Door(catalog, store, List.of(), Waiting.DEFAULT, Runnable::run, () -> true, () -> null);
        assertThat(inline.acquire(List.of(new Ask("nosuch", null, "acme", 1)), Duration.ZERO))
                .isCompletedExceptionally()
                .satisfies(decision -> assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(decision::get)
                        .withCauseInstanceOf(UnknownLimitException.class));
    }

    private @Nullable String planOf(String limit, String key) {
        asked = Thread.currentThread();
        return plan.join();
    }

    private long remaining() {
        Limits limits = catalog;
        return ((Decision.Allowed)
                        store.peek(List.of(Charge.of(limits.numbersFor("orders", "gold", "acme"), "acme", 0)))
                                .toCompletableFuture()
                                .join())
                .remaining();
    }

    private Door door() {
        return Objects.requireNonNull(door);
    }

    private static Tuning tuning() {
        LimitSettings plain =
                LimitSettings.of(Algorithm.TOKEN_BUCKET, new Numbers(3L, Duration.ofHours(1), null), null, null);
        LimitSettings plans = new LimitSettings(
                Algorithm.TOKEN_BUCKET,
                3L,
                Duration.ofHours(1),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Map.of("gold", new Numbers(5L, null, null)),
                Map.of());
        return Tuning.of(Map.of("orders", plans, "plain", plain));
    }

    /** A resolver may count its questions: a denial that might be known is no reason for a second one. */
    @Test
    void aResolverIsAskedOncePerCall() {
        onEventLoop = false;
        plan.complete("gold");
        assertThat(door().knownDenial(new Ask("orders", null, "acme", 1), null)).isNull();
        assertThat(asked).isNull();
    }
}
