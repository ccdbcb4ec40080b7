/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;
import java.util.Objects;

/** One key, counted at the times and by the numbers that the test says. Answers in one line. */
final class Key {

    private final Usage usage;
    private Limit limit;
    private long now;

    Key(Limit limit) {
        this(limit, Usage.unused(limit));
    }

    private Key(Limit limit, Usage usage) {
        this.limit = limit;
        this.usage = usage;
    }

    Key at(long micros) {
        now = micros;
        return this;
    }

    /** Other numbers from now on. */
    Key under(Limit other) {
        limit = other;
        return this;
    }

    /** Another key that begins with what this one has used. */
    Key copy() {
        looks();
        return new Key(limit, usage.copy()).at(now);
    }

    Usage usage() {
        return usage;
    }

    boolean looks() {
        return usage.look(limit, now);
    }

    String acquire(long cost) {
        return acquire(cost, 0);
    }

    String acquire(long cost, long maxWait) {
        return line(decide(cost, maxWait, true));
    }

    String peek(long cost) {
        return peek(cost, 0);
    }

    String peek(long cost, long maxWait) {
        return line(decide(cost, maxWait, false));
    }

    Decision decide(long cost, long maxWait, boolean keeps) {
        looks();
        Decision decision = usage.grants(cost, maxWait) ? usage.charge(cost, maxWait) : usage.deny(cost, maxWait);
        if (keeps) {
            usage.keep();
        }
        return decision;
    }

    /** As a part of a call that another limit denies. */
    String spared(long cost) {
        looks();
        Decision decision = usage.spare(cost);
        usage.keep();
        return line(decision);
    }

    Hold reserve(long cost, long maxWait) {
        if (!decide(cost, maxWait, true).passes()) {
            throw new AssertionError("denied");
        }
        return usage.hold(new Charge(limit, "key", cost, maxWait));
    }

    long cancel(Hold hold) {
        looks();
        return usage.takeBack(new Hold(hold.charge(), hold.dueMicros(), hold.dueFraction()));
    }

    /** Of a call that another limit makes wait: what was lent it. */
    long giveUp(Hold hold) {
        looks();
        return usage.takeBack(hold);
    }

    /** Of a call that another slot or store has denied a trip later. */
    long end(Hold hold) {
        Lent lent = Objects.requireNonNull(hold.lent());
        return giveUp(new Hold(
                hold.charge(),
                hold.dueMicros(),
                hold.dueFraction(),
                new Lent(lent.fullMicros(), lent.fullFraction(), true)));
    }

    String refund(long permits) {
        looks();
        return line(usage.giveBack(permits));
    }

    Key lock(long micros) {
        looks();
        usage.lockFor(micros);
        usage.keep();
        return this;
    }

    /** What a call of cost 0 is told. */
    String state() {
        return peek(0);
    }

    boolean isUnused() {
        return usage.isUnused(now);
    }

    static String line(Decision decision) {
        if (decision instanceof Allowed allowed) {
            return "granted, %d left, unused in %d%s"
                    .formatted(
                            allowed.remaining(),
                            allowed.resetAfterMicros(),
                            allowed.delayMicros() > 0 ? ", delay " + allowed.delayMicros() : "");
        }
        Denied denied = (Denied) decision;
        return "%s, %d left, unused in %d, again %s"
                .formatted(
                        denied.reason(),
                        denied.remaining(),
                        denied.resetAfterMicros(),
                        denied.retryAfterMicros() == Denied.NEVER ? "never" : "in " + denied.retryAfterMicros());
    }
}
