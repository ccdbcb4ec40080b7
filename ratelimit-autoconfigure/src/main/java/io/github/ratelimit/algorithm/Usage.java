/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;

/**
 * What one key has used of one limit, and its lock. What holds for every algorithm is decided here, once: a cost of 0 is
 * granted, a cost above the capacity is not, a locked key is denied, and a denial may start a penalty.
 *
 * <p>Every use begins with {@link #look}, which fixes the instant and the numbers. {@link #charge} and {@link #deny} then
 * answer; {@link #keep} makes it so. Without it nothing has happened: that is how one peeks.
 *
 * <p>Not safe for use by several threads. The limits of all looks have the same shape: algorithm, refill, anchor, slots,
 * strictness and, for windows, the period.
 */
public final class Usage {

    private Counter counter;
    private long lockedUntil = Counter.LONG_AGO;

    private boolean believable;
    private long lock;
    private boolean counterChanged;
    private boolean lockChanged;

    private Usage(Counter counter) {
        this.counter = counter;
    }

    /** Nothing used yet. */
    public static Usage unused(Limit limit) {
        return new Usage(Counter.unused(limit));
    }

    /** Another key's usage that begins with no less than this one's, in constant space; look at this one first. */
    public Usage copy() {
        Usage copy = new Usage(counter.copy());
        copy.lockedUntil = lockedUntil;
        return copy;
    }

    /**
     * Sees what is used at an instant, by the numbers of a limit.
     *
     * @return whether it can be believed; what lies in the absurd future is seen as unused
     */
    public boolean look(Limit limit, long now) {
        believable = counter.look(limit, now);
        long left = lockedUntil - now;
        lock = believable && left <= Locks.LONGEST_MICROS + Counter.DOUBT_MICROS ? Math.max(0, left) : 0;
        counterChanged = false;
        lockChanged = false;
        return believable;
    }

    /** Whether nothing is used and nothing locked, by the numbers last looked with: forgetting it changes no answer. */
    public boolean isUnused(long now) {
        look(limit(), now);
        return lock == 0 && counter.isUnused();
    }

    /** Whether a call is granted. */
    public boolean grants(long cost, long maxWaitMicros) {
        return cost == 0
                || (cost <= limit().burst()
                        && lock == 0
                        && counter.grants(cost, Answers.patience(limit(), maxWaitMicros)));
    }

    /** How many permits of those asked for are there now. */
    public long grantable(long cost) {
        return lock > 0 ? 0 : Math.min(cost, counter.remaining());
    }

    /** Charges the cost, and answers. */
    public Decision charge(long cost, long maxWaitMicros) {
        if (cost > 0) {
            counter.take(cost);
            counterChanged = true;
        }
        return counter.answer(cost, maxWaitMicros, Outcome.CHARGED, lock);
    }

    /** What was charged last, for whoever may take it back. */
    public Hold hold(Charge charge) {
        return counter.hold(charge);
    }

    /** Denies a call, and answers; where permits are lacking a penalty begins, unless a lock runs already. */
    public Decision deny(long cost, long maxWaitMicros) {
        counterChanged = counter.cut();
        if (startsPenalty(cost)) {
            lockFor(limit().penalty().toMillis() * 1_000);
        }
        return counter.answer(cost, maxWaitMicros, Outcome.DENIED, lock);
    }

    /** Whether this denial does: a departure that is only too late is no lack of permits. */
    private boolean startsPenalty(long cost) {
        Limit limit = limit();
        return cost <= limit.burst()
                && lock == 0
                && !limit.shadow()
                && !limit.penalty().isZero()
                && cost > counter.remaining();
    }

    /** Answers for a limit that grants while another one denies. */
    public Decision spare(long cost) {
        counterChanged = cost > 0 && counter.cut();
        return counter.answer(cost, 0, Outcome.SPARED, lock);
    }

    /** Makes what was answered last the state. */
    public void keep() {
        if (counterChanged || lockChanged) {
            counter.keep();
            lockedUntil = lock == 0 ? Counter.LONG_AGO : counter.now + lock;
        }
    }

    /** Gives permits back, newest grants first, and answers as to a call of cost 0. */
    public Decision giveBack(long permits) {
        given(counter.give(permits));
        return charge(0, 0);
    }

    /** Takes a charge back as far as nobody has reserved after it: how many permits that were. */
    public long takeBack(Hold hold) {
        return believable ? given(counter.takeBack(hold)) : 0;
    }

    private long given(long given) {
        if (given > 0) {
            lockedUntil = lock == 0 ? Counter.LONG_AGO : counter.now + lock;
        }
        return given;
    }

    /** The state as {@link OneNumber} by the numbers of the last look, or {@link OneNumber#UNKNOWN} where it has none. */
    public long number() {
        return lockedUntil == Counter.LONG_AGO ? counter.number() : OneNumber.UNKNOWN;
    }

    /** Goes on with what the number of this state has become meanwhile. */
    public void become(long number) {
        counter.become(number);
    }

    /** The limit of the last look. */
    public Limit limit() {
        return counter.limit;
    }

    /** Forgets counter and lock. */
    public void forget() {
        counter = Counter.unused(limit());
        lockedUntil = Counter.LONG_AGO;
    }

    /** Locks the key for this long, unless it is locked for longer. */
    public void lockFor(long micros) {
        if (micros > lock) {
            lock = micros;
            lockChanged = true;
        }
    }
}
