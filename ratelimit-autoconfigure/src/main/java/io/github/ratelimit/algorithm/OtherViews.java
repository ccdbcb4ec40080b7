/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket looks like by other numbers than those that wrote it last, where that differs: where numbers have cut it.
 *
 * @param views one per set of numbers
 */
record OtherViews(List<View> views) {

    static final OtherViews NONE = new OtherViews(List.of());

    /** So many sets of numbers on one key are told apart; those that see least are forgotten first, and see more then. */
    private static final int MOST = 3;

    /**
     * A view.
     *
     * @param fullAt when the bucket will be full
     * @param mark the numbers' mark
     * @param numbers the numbers; {@code null}: only their mark is known
     * @param slack permits that the bucket will not need of that instant's tick
     */
    record View(long fullAt, int mark, @Nullable Numbers numbers, long slack) {

        /** Whether it is that of these numbers, as far as can be told. */
        boolean isOf(int mark, Numbers numbers) {
            return this.mark == mark && (this.numbers == null || this.numbers.equals(numbers));
        }

        View moved(long now, long micros) {
            boolean full = fullAt <= now;
            if (micros > 0) {
                return new View(Math.max(fullAt, now) + micros, mark, numbers, full ? 0 : slack);
            }
            return full ? this : new View(Math.max(fullAt + micros, now), mark, numbers, slack);
        }
    }

    boolean isEmpty() {
        return views.isEmpty();
    }

    /** Whether the bucket is full in the eyes of all of them. */
    boolean areFullAt(long now) {
        return views.stream().allMatch(view -> view.fullAt() <= now);
    }

    OtherViews without(View gone) {
        List<View> rest = new ArrayList<>(views);
        rest.remove(gone);
        return new OtherViews(rest);
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

    /** What numbers see: their own view, by name rather than by mark, else the latest. */
    View seenBy(int mark, Numbers numbers, View last) {
        View own = null;
        View latest = last;
        for (View view : views) {
            if (view.isOf(mark, numbers) && (own == null || own.numbers() == null)) {
                own = view;
            }
            latest = view.fullAt() > latest.fullAt() ? view : latest;
        }
        return own == null ? latest : own;
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
