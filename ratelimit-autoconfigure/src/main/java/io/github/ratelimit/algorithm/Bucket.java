/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.Reservation.Lent;
import io.github.ratelimit.algorithm.OtherViews.View;
import org.jspecify.annotations.Nullable;

/**
 * What the buckets have in common: all they remember is the instant at which they will be full, and the mark of the
 * numbers that wrote it. An instant needs no upkeep: time alone empties the debt.
 *
 * <p>Under other numbers the instant stays, at most a whole bucket ahead, so nobody gets a fresh bucket and nobody waits
 * longer than the new numbers imply. Where that cuts it, the later instant stays beside it for numbers that would see it,
 * and every charge moves all instants by the time it takes: as long as instances with different numbers call, none of them
 * grants what another has cut. In any stretch of time the charges take no longer than the stretch and the longest time
 * to fill.
 *
 * <p>Two sets of numbers may share a mark. So where a mark is not enough the numbers are named: beside other views, and with a
 * rest that only they can read. An instant that has a mark only, and counts as unused because it is too far off for these
 * numbers, stays beside as well: it may be that of others with the same mark.
 */
abstract class Bucket extends Counter {

    /** The mark of no limit. */
    private static final int NOBODY = 999;

    private long fullAt = LONG_AGO;
    private long rest;
    private int mark = -1;

    /** The numbers that wrote last; {@code null}: only their mark is known. */
    private @Nullable Numbers writer;

    private OtherViews others = OtherViews.NONE;

    /** What the last look found beside what was written last; {@code null}: it found that. */
    private @Nullable View seen;

    private boolean cut;
    private long moved;
    private OtherViews beside = OtherViews.NONE;

    Bucket(Limit limit) {
        super(limit);
    }

    /** Whether the rest is a part of a microsecond. */
    abstract boolean restIsTime();

    /** The limit's numbers by name. */
    abstract Numbers numbers();

    /** The instant at which the bucket is full in the eyes of a limit's numbers; {@link #settle} ends the look. */
    final long see(Limit limit, long now) {
        this.limit = limit;
        this.now = now;
        cut = false;
        moved = 0;
        seen = null;
        beside = others;
        if (isOwn()) {
            return fullAt;
        }
        return beside.isEmpty() ? wholeMicros() : seeBeside(last());
    }

    private long wholeMicros() {
        return restIsTime() && rest > 0 ? fullAt + 1 : fullAt;
    }

    /** What was written last, as other numbers see it. */
    private View last() {
        return new View(wholeMicros(), mark, writer, restIsTime() ? 0 : rest);
    }

    private long seeBeside(View last) {
        View source = beside.seenBy(limit.fingerprint(), numbers(), last);
        if (!source.equals(last)) {
            beside = beside.without(source).with(last);
        }
        seen = source;
        return source.fullAt();
    }

    /** Whether the limit's numbers wrote what they see, and others have written since. */
    final boolean wroteBefore() {
        return seen != null && seen.isOf(limit.fingerprint(), numbers());
    }

    /** Whether the limit's numbers wrote last, as far as can be told. */
    final boolean isOwn() {
        return mark == limit.fingerprint() && (writer == null || writer.equals(numbers()));
    }

    /** What belongs to the instant and is no whole microsecond: if the limit's numbers wrote it. */
    final long rest() {
        return seen == null ? rest : seen.slack();
    }

    /** What was written last counts as unused; it stays beside if it may be that of others with the same mark. */
    final void disbelieve() {
        beside = writer == null ? OtherViews.NONE.with(last()) : OtherViews.NONE;
    }

    /** Says that the view is less than what was seen. */
    final void cut(long seenFullAt) {
        cut = true;
        View uncut = seen == null ? last() : seen;
        beside = beside.withLatest(wroteBefore() ? new View(seenFullAt, NOBODY, null, 0) : uncut);
    }

    final void settle() {
        if (isFull() && beside.areFullAt(now)) {
            beside = OtherViews.NONE;
        }
        beside = beside.few();
    }

    /** Whether the view has no debt. */
    abstract boolean isFull();

    /** Whether numbers other than those of this look see something else. */
    final boolean hasOtherViews() {
        return !beside.isEmpty();
    }

    /** The view was charged what takes so many microseconds, rounded up; below 0: given back. */
    final void moved(long micros) {
        moved += micros;
    }

    /** How many of a hold's permits nobody has reserved after it. */
    abstract long stillFree(Hold hold);

    @Override
    final long takeBack(Hold hold) {
        return hold.lent() == null
                ? give(stillFree(hold))
                : takeBack(hold.charge().cost(), hold.dueMicros(), hold.lent());
    }

    /** Takes back what was lent at an instant: how many permits, the last of them perhaps repaid in part. */
    abstract long takeBack(long cost, long at, Lent lent);

    final void keep(long fullAt, long rest) {
        others = beside.moved(now, moved);
        this.fullAt = isFull() ? (others.isEmpty() ? LONG_AGO : now) : fullAt;
        this.rest = rest;
        mark = limit.fingerprint();
        writer = others.isEmpty() && (restIsTime() || rest == 0) ? null : numbers();
    }

    /** The instant and its rest as {@link OneNumber}, where numbers other than those of the last look see nothing else. */
    final long numberOfInstant() {
        return isOwn() && others.isEmpty() ? OneNumber.of(limit, fullAt, rest) : OneNumber.UNKNOWN;
    }

    final void becomeInstant(long number) {
        if (number == numberOfInstant()) {
            return; // nobody charged it, and a division takes its time
        }
        fullAt = OneNumber.fullAt(limit, number);
        rest = OneNumber.rest(limit, number);
    }

    @Override
    final boolean isUnused() {
        return isFull() && beside.isEmpty();
    }

    @Override
    final boolean cut() {
        return cut;
    }

    final <T extends Bucket> T copyTo(T copy) {
        Bucket other = copy;
        other.fullAt = fullAt;
        other.rest = rest;
        other.mark = mark;
        other.writer = writer;
        other.others = others;
        return copy;
    }
}
