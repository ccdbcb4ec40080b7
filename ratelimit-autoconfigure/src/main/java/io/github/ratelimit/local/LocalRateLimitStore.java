/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.algorithm.Locks;
import io.github.ratelimit.algorithm.Usage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Counters in this JVM. Decisions are atomic over all charges of a call, take no thread and never wait for anything but
 * another decision on the same key; every stage is complete when it is returned. Most charges of a bucket take no lock:
 * {@link OpenBucket} tells how.
 *
 * <p>No more counters are kept than stated: {@link Cells} tells how.
 */
public final class LocalRateLimitStore implements RateLimitStore {

    private final LongSupplier clock;
    private final Cells cells;
    private volatile Runnable onHealing = () -> {};

    /**
     * A store with a clock of its own.
     *
     * @param microsClock the time in microseconds since 1970, UTC
     * @param maxKeys how many counters may be kept at once
     */
    public LocalRateLimitStore(LongSupplier microsClock, int maxKeys) {
        this(microsClock, maxKeys, true);
    }

    /** One whose counters are charged without a lock where that can be; never, for a test that compares the two. */
    LocalRateLimitStore(LongSupplier microsClock, int maxKeys, boolean opens) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("max-keys = " + maxKeys + " keeps no counter. Use 1 or more.");
        }
        this.clock = microsClock;
        this.cells = new Cells(microsClock, maxKeys, opens);
    }

    /** A store on the system's clock. */
    public LocalRateLimitStore(int maxKeys) {
        this(new SystemMicros(), maxKeys);
    }

    /** How many counters are kept. */
    public int size() {
        return cells.size();
    }

    /** Who wants to know whenever a state lay too far in the future to be believed, and counted as unused; is to be quick. */
    public void onHealing(Runnable listener) {
        onHealing = listener;
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        return completed(decideTogether(charges, true));
    }

    @Override
    public Decision acquireBlocking(List<Charge> charges, Consumer<? super Decision> late) {
        return decideTogether(charges, true);
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        return completed(decide(charges, true));
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        return completed(decideTogether(charges, false));
    }

    private Decision decideTogether(List<Charge> charges, boolean keeps) {
        return charges.size() == 1
                ? decide(charges.get(0), keeps)
                : decide(charges, keeps).decision();
    }

    /** The short way for one charge: what {@link Call} does for several. Without a lock, if that can be. */
    private Decision decide(Charge charge, boolean keeps) {
        String key = KeyDigest.kept(charge.key());
        boolean enters = keeps && charge.cost() > 0;
        while (true) {
            Cell cell = cells.cell(charge.limit(), key, enters);
            Decision decision = enters ? cell.decideOpen(charge, clock) : null;
            if (decision != null) {
                return decision;
            }
            if (cell.lockFor(key, cells)) {
                return decideLocked(cell, charge.limit(), charge.cost(), charge.maxWaitMicros(), keeps);
            }
        }
    }

    /** Told the numbers, not the charge: where the compiler makes this a piece of its own, that need not be an object for it. */
    private Decision decideLocked(Cell cell, Limit limit, long cost, long maxWaitMicros, boolean keeps) {
        try {
            Usage usage = look(cell, limit, now());
            Decision decision = usage.grants(cost, maxWaitMicros)
                    ? usage.charge(cost, maxWaitMicros)
                    : usage.deny(cost, maxWaitMicros);
            if (keeps) {
                usage.keep();
            }
            return limit.shadow() ? Decision.together(List.of(decision)) : decision;
        } finally {
            cell.unlock();
        }
    }

    private Reservation decide(List<Charge> charges, boolean keeps) {
        try (Call call = Call.lock(this, cells, notEmpty(charges), keeps)) {
            return call.decide(keeps);
        }
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        Cell cell = lock(charge.limit(), KeyDigest.kept(charge.key()), charge.cost() > 0);
        try {
            Usage usage = look(cell, charge.limit(), now());
            long granted = usage.grantable(charge.cost());
            Decision decision = granted == 0 && charge.cost() > 0 ? usage.deny(1, 0) : usage.charge(granted, 0);
            usage.keep();
            return completed(new PartialGrant(granted, Decision.together(List.of(decision))));
        } finally {
            cell.unlock();
        }
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        List<Hold> holds = reservation.toTakeBack();
        if (holds.isEmpty()) {
            return completed(0L);
        }
        List<Charge> charges = holds.stream().map(Hold::charge).toList();
        try (Call call = Call.lock(this, cells, charges, false)) {
            return completed(call.cancel(holds));
        }
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        try (Call call = Call.lock(this, cells, notEmpty(charges), false)) {
            return completed(call.refund());
        }
    }

    /** {@inheritDoc} A key that has no counter of its own, because there was no room for it, shares on. */
    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        cells.forget(limit, KeyDigest.kept(key));
        return CompletableFuture.completedFuture(null);
    }

    /** {@inheritDoc} A key that has no counter of its own, because there is no room for it, is locked with the others. */
    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        long micros = Locks.micros(limit, duration);
        Cell cell = lock(limit, KeyDigest.kept(key), micros > 0);
        try {
            Usage usage = look(cell, limit, now());
            usage.lockFor(micros);
            usage.keep();
        } finally {
            cell.unlock();
        }
        return CompletableFuture.completedFuture(null);
    }

    long now() {
        return clock.getAsLong();
    }

    Usage look(Cell cell, Limit limit, long now) {
        if (!cell.usage.look(limit, now)) {
            onHealing.run();
        }
        return cell.usage;
    }

    /** The key's cell, locked. */
    private Cell lock(Limit limit, String key, boolean enters) {
        while (true) {
            Cell cell = cells.cell(limit, key, enters);
            if (cell.lockFor(key, cells)) {
                return cell;
            }
        }
    }

    private static List<Charge> notEmpty(List<Charge> charges) {
        if (charges.isEmpty()) {
            throw new IllegalArgumentException("A call without charges has no decision.");
        }
        return charges;
    }

    private static <T> CompletionStage<T> completed(T answer) {
        return CompletableFuture.completedFuture(answer);
    }
}
