/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Alarms that all ring after the same time, reckoned from when a call came. Nearly all are set at once, so a queue has them
 * nearly in order; who waited before is behind others and due earlier, so whoever rings looks at all. Setting one neither
 * sorts nor locks. An alarm that is off lets go of its task at once, and of its place when those before it have, or when
 * somebody rings.
 *
 * <p>Somebody has to {@link #ring}: {@link DeadlineThread}, or a test.
 */
final class Deadlines {

    /** What {@link #ring} answers when nothing is set. */
    static final long NONE = Long.MAX_VALUE;

    private final ConcurrentLinkedQueue<Alarm> alarms = new ConcurrentLinkedQueue<>();
    private final LongSupplier nanoClock;
    private final long lengthNanos;
    private volatile LongConsumer onSet = due -> {};
    private volatile boolean closed;

    Deadlines(LongSupplier nanoClock, long lengthNanos) {
        this.nanoClock = nanoClock;
        this.lengthNanos = lengthNanos;
    }

    /** Who wants to know when an alarm that was set is due. */
    void onSet(LongConsumer listener) {
        onSet = listener;
    }

    /** Sets an alarm for what began then. Once closed it rings at once. */
    Alarm set(long sinceNanos, Runnable task) {
        Alarm alarm = new Alarm(this, task, sinceNanos + lengthNanos);
        alarms.add(alarm);
        onSet.accept(alarm.dueNanos);
        if (closed) {
            alarm.ring();
        }
        return alarm;
    }

    /** Whether it is too late for what began then. */
    boolean isOver(long sinceNanos, long nowNanos) {
        return nowNanos - sinceNanos >= lengthNanos;
    }

    /** Rings what is due, here. Returns how long until the next is, or {@link #NONE}; less than nothing where that came meanwhile. */
    long ring() {
        return ring(Runnable::run);
    }

    /** The same, where somebody else rings. */
    long ring(Consumer<Runnable> ringer) {
        long began = nanoClock.getAsLong();
        long next = NONE;
        for (Iterator<Alarm> all = alarms.iterator(); all.hasNext(); ) {
            Alarm alarm = all.next();
            long left = closed ? 0 : alarm.dueNanos - began;
            if (alarm.isSilent()) {
                all.remove();
            } else if (left <= 0) {
                all.remove();
                ringer.accept(alarm::ring);
            } else {
                next = Math.min(next, left);
            }
        }
        return next == NONE ? NONE : next - (nanoClock.getAsLong() - began);
    }

    boolean isEmpty() {
        return alarms.isEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    /** Rings everything now, and whatever is set from now on at once. */
    void close() {
        closed = true;
        ring();
        onSet.accept(nanoClock.getAsLong());
    }

    /** Alarms go off much in the order in which they were set: those in front are not kept until they would have rung. */
    private void dropSilent() {
        Alarm first = alarms.peek();
        while (first != null && first.isSilent() && alarms.remove(first)) {
            first = alarms.peek();
        }
    }

    /** One alarm, its task in itself: rings once, or never. */
    @SuppressWarnings("serial") // by inheritance only; one object less for each call
    static final class Alarm extends AtomicReference<@Nullable Runnable> {

        private final Deadlines deadlines;
        private final long dueNanos;

        private Alarm(Deadlines deadlines, Runnable task, long dueNanos) {
            super(task);
            this.deadlines = deadlines;
            this.dueNanos = dueNanos;
        }

        /** Silences it. Returns whether that was in time: whether it has not rung, and now never will. */
        boolean off() {
            boolean inTime = getAndSet(null) != null;
            deadlines.dropSilent();
            return inTime;
        }

        /** Rings before its time, unless it has rung or is off. */
        void ringNow() {
            Runnable due = getAndSet(null);
            deadlines.dropSilent();
            if (due != null) {
                due.run();
            }
        }

        private void ring() {
            Runnable due = getAndSet(null);
            if (due != null) {
                due.run();
            }
        }

        private boolean isSilent() {
            return get() == null;
        }
    }
}
