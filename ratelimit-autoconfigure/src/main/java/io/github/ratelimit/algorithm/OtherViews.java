/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a bucket looks like by other numbers than those that wrote it last, where that differs: where numbers have cut it.
 *
 * @param views one per set of numbers
 */
record OtherViews(List<View> views) {

    static final OtherViews NONE = new OtherViews(List.of());

    /** So many sets of numbers on one key are told apart; those that see least are forgotten first, and see more then. */
    private static final int MOST = 3;

    private static final long DAY_SECONDS = 86_400;

    /**
     * A view.
     *
     * @param fullAt when the bucket will be full
     * @param mark the numbers' mark
     * @param since the second in which others wrote after these numbers
     * @param slack permits that the bucket will not need of that instant's tick
     */
    record View(long fullAt, int mark, long since, long slack) {

        View moved(long now, long micros) {
            boolean full = fullAt <= now;
            if (micros > 0) {
                return new View(Math.max(fullAt, now) + micros, mark, since, full ? 0 : slack);
            }
            return full ? this : new View(Math.max(fullAt + micros, now), mark, since, slack);
        }
    }

    boolean isEmpty() {
        return views.isEmpty();
    }

    /** Without numbers by which nothing has been granted for a day: they are no longer in use. */
    OtherViews inUse(long second) {
        return isEmpty() ? this : only(view -> second - view.since() <= DAY_SECONDS);
    }

    /** Without what has been full for long, for whom the bucket is full too. */
    OtherViews notFullAt(long now) {
        return isEmpty() ? this : only(view -> view.fullAt() > now);
    }

    OtherViews without(View gone) {
        return only(view -> !view.equals(gone));
    }

    private OtherViews only(Predicate<View> wanted) {
        return new OtherViews(views.stream().filter(wanted).toList());
    }

    OtherViews with(View added) {
        List<View> all = new ArrayList<>(views);
        all.add(added);
        return new OtherViews(all);
    }

    /** With one more, unless another sees as much. */
    OtherViews withLatest(View added) {
        return views.stream().allMatch(view -> view.fullAt() < added.fullAt()) ? with(added) : this;
    }

    OtherViews few() {
        OtherViews few = this;
        while (few.views.size() > MOST) {
            few = few.without(few.views.stream()
                    .min(Comparator.comparingLong(View::fullAt))
                    .orElseThrow());
        }
        return few;
    }

    /** What numbers see: their own view, else the latest. */
    View seenBy(int mark, View last) {
        View latest = last;
        for (View view : views) {
            if (view.mark() == mark) {
                return view;
            }
            latest = view.fullAt() > latest.fullAt() ? view : latest;
        }
        return latest;
    }

    /** After a charge, which takes this long by the numbers that made it; below 0: given back, at most until full. */
    OtherViews moved(long now, long micros) {
        if (isEmpty() || micros == 0) {
            return this;
        }
        return new OtherViews(
                views.stream().map(view -> view.moved(now, micros)).toList());
    }
}
