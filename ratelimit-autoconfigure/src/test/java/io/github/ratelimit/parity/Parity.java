/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.parity;

import io.github.ratelimit.testkit.StoreUnderTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Two stores making the same histories. */
final class Parity {

    private final StoreUnderTest one;
    private final StoreUnderTest other;
    private int replays;

    Parity(StoreUnderTest one, StoreUnderTest other) {
        this.one = one;
        this.other = other;
    }

    /** Runs the history of a seed; where the stores disagree, fails with the shortest history that shows it. */
    void check(long seed, int steps) {
        History history = new History(seed);
        String keys = "h" + replays++ + "-";
        Replay here = new Replay(one, keys);
        Replay there = new Replay(other, keys);
        Map<Long, Step> made = new TreeMap<>();
        for (long i = 0; i < steps; i++) {
            Step step = history.next();
            made.put(i, step);
            Object answer = here.answer(i, step);
            if (!answer.equals(there.answer(i, step))) {
                throw new AssertionError("seed " + seed + ", step " + i + ":\n" + tell(shortest(made)));
            }
            history.hear(answer);
        }
    }

    private Map<Long, Step> shortest(Map<Long, Step> steps) {
        Map<Long, Step> shortest = new LinkedHashMap<>(steps);
        for (Long index : steps.keySet()) {
            Map<Long, Step> without = new LinkedHashMap<>(shortest);
            without.remove(index);
            if (firstDifference(without, new ArrayList<>()) != null) {
                shortest = without;
            }
        }
        return shortest;
    }

    private String tell(Map<Long, Step> steps) {
        List<String> lines = new ArrayList<>();
        firstDifference(steps, lines);
        return String.join("\n", lines);
    }

    private @Nullable Long firstDifference(Map<Long, Step> steps, List<String> lines) {
        String keys = "h" + replays++ + "-";
        Replay here = new Replay(one, keys);
        Replay there = new Replay(other, keys);
        for (Map.Entry<Long, Step> entry : steps.entrySet()) {
            Object answer = here.answer(entry.getKey(), entry.getValue());
            Object otherAnswer = there.answer(entry.getKey(), entry.getValue());
            lines.add(entry.getKey() + ": " + entry.getValue() + "\n   " + one.name() + ": " + answer + "\n   "
                    + other.name() + ": " + otherAnswer);
            if (!answer.equals(otherAnswer)) {
                return entry.getKey();
            }
        }
        return null;
    }
}
