/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Stages;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real store behind a door that the test holds shut: what is asked meanwhile happens when it is opened, or never; or it
 * happens at once, and only its answer has to wait.
 */
final class HeldStore implements RateLimitStore {

    enum Mode {
        ANSWERS,
        HOLDS,
        KEEPS_ANSWERS,
        REFUSES,
        THROWS
    }

    private final RateLimitStore behind;
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> batches = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger givenBack = new AtomicInteger();
    private volatile Mode mode = Mode.ANSWERS;
    private volatile RuntimeException failure =
            new RateLimitStoreException("Redis cannot answer: refused", new ConnectException("refused"));

    HeldStore(RateLimitStore behind) {
        this.behind = behind;
    }

    HeldStore is(Mode mode) {
        this.mode = mode;
        return this;
    }

    HeldStore failsWith(RuntimeException failure) {
        this.failure = failure;
        return is(Mode.REFUSES);
    }

    /** Lets happen what was held, and answers from now on. */
    void open() {
        mode = Mode.ANSWERS;
        for (Runnable next = held.poll(); next != null; next = held.poll()) {
            next.run();
        }
    }

    /** Lets the first happen that is held. */
    void letOne() {
        Objects.requireNonNull(held.poll(), "nothing is held").run();
    }

    /** Takes away what is held, to happen when the test likes. */
    List<Runnable> takeHeld() {
        List<Runnable> taken = List.copyOf(held);
        held.clear();
        return taken;
    }

    /** Decides calls one after the other, as one question. */
    CompletionStage<List<@Nullable Decision>> inTurn(List<Charge> calls) {
        batches.add(calls.size());
        return answer(() -> {
            List<@Nullable Decision> decisions = new ArrayList<>();
            calls.forEach(call -> decisions.add(Stages.await(behind.acquire(List.of(call)))));
            return CompletableFuture.completedFuture(decisions);
        });
    }

    /** How many calls each question had that had several. */
    List<Integer> batches() {
        return List.copyOf(batches);
    }

    /** How many questions it was asked. */
    int asked() {
        return asked.get();
    }

    /** How many of them were to decide or change something. */
    int askedToAct() {
        return asked.get() - looks.get();
    }

    /** How many of them only looked. */
    int looks() {
        return looks.get();
    }

    /** How many of them gave something back. */
    int givenBack() {
        return givenBack.get();
    }

    private <T> CompletionStage<T> answer(Supplier<CompletionStage<T>> question) {
        asked.incrementAndGet();
        return switch (mode) {
            case ANSWERS -> question.get();
            case REFUSES -> CompletableFuture.failedFuture(failure);
            case THROWS -> throw failure;
            case HOLDS -> {
                CompletableFuture<T> later = new CompletableFuture<>();
                held.add(() -> {
                    if (mode == Mode.REFUSES) {
                        later.completeExceptionally(failure);
                        return;
                    }
                    var unused = question.get().thenAccept(later::complete);
                });
                yield later;
            }
            case KEEPS_ANSWERS -> {
                CompletableFuture<T> later = new CompletableFuture<>();
                CompletionStage<T> answered = question.get();
                held.add(() -> {
                    var unused = answered.thenAccept(later::complete);
                });
                yield later;
            }
        };
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return answer(() -> behind.acquire(charges));
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return answer(() -> behind.reserve(charges));
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        looks.incrementAndGet();
        return answer(() -> behind.peek(charges));
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        return answer(() -> behind.acquireUpTo(charge));
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        givenBack.incrementAndGet();
        return answer(() -> behind.cancel(reservation));
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        givenBack.incrementAndGet();
        return answer(() -> behind.refund(charges));
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return answer(() -> behind.reset(limit, key));
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        return answer(() -> behind.lock(limit, key, duration));
    }
}
