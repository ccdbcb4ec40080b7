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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Two stores making the same histories. The one is opened anew for each: this JVM's store lets unused counters go when it
 * has many, and a clock that then steps back would show it.
 */
public final class Parity {

    private static final AtomicInteger REPLAYS = new AtomicInteger();

    private final Supplier<StoreUnderTest> one;
    private final StoreUnderTest other;

    /** Compares a store that is opened anew for each history with one that stays. */
    public Parity(Supplier<StoreUnderTest> one, StoreUnderTest other) {
        this.one = one;
        this.other = other;
    }

    /** Runs a history; where the stores disagree, fails with the shortest history that shows it. */
    public void check(History history, int steps) {
        Map<Long, Step> made = new TreeMap<>();
        try (StoreUnderTest fresh = one.get()) {
            String keys = "h" + REPLAYS.incrementAndGet() + "-";
            Replay here = new Replay(fresh, keys);
            Replay there = new Replay(other, keys);
            for (long i = 0; i < steps; i++) {
                Step step = history.next();
                made.put(i, step);
                Object answer = here.answer(i, step);
                if (!answer.equals(there.answer(i, step))) {
                    throw new AssertionError(history + ", step " + i + ":\n" + tell(shortest(made)));
                }
                history.hear(answer);
            }
        }
    }

    /** Whether the stores answer a history alike; an answer that cannot be given is none. */
    public boolean agrees(History history, int steps) {
        try (StoreUnderTest fresh = one.get()) {
            String keys = "h" + REPLAYS.incrementAndGet() + "-";
            Replay here = new Replay(fresh, keys);
            Replay there = new Replay(other, keys);
            for (long i = 0; i < steps; i++) {
                Step step = history.next();
                Object answer = here.answer(i, step);
                try {
                    if (!answer.equals(there.answer(i, step))) {
                        return false;
                    }
                } catch (AssertionError noAnswer) {
                    return false;
                }
                history.hear(answer);
            }
            return true;
        }
    }

    /** Fails where the stores disagree about one of the {@link HardCases}. */
    void checkHardCases() {
        for (List<Step> steps : HardCases.all()) {
            List<String> lines = new ArrayList<>();
            if (differ(numbered(steps), lines)) {
                throw new AssertionError(String.join("\n", lines));
            }
        }
    }

    /** Whether the stores agree about the {@link HardCases}. */
    public boolean agreesOnHardCases() {
        try {
            checkHardCases();
            return true;
        } catch (AssertionError disagreement) {
            return false;
        }
    }

    private static Map<Long, Step> numbered(List<Step> steps) {
        Map<Long, Step> numbered = new TreeMap<>();
        for (Step step : steps) {
            numbered.put((long) numbered.size(), step);
        }
        return numbered;
    }

    private Map<Long, Step> shortest(Map<Long, Step> steps) {
        Map<Long, Step> shortest = new LinkedHashMap<>(steps);
        for (Long index : steps.keySet()) {
            Map<Long, Step> without = new LinkedHashMap<>(shortest);
            without.remove(index);
            if (differ(without, new ArrayList<>())) {
                shortest = without;
            }
        }
        return shortest;
    }

    private String tell(Map<Long, Step> steps) {
        List<String> lines = new ArrayList<>();
        differ(steps, lines);
        return String.join("\n", lines);
    }

    private boolean differ(Map<Long, Step> steps, List<String> lines) {
        try (StoreUnderTest fresh = one.get()) {
            String keys = "h" + REPLAYS.incrementAndGet() + "-";
            Replay here = new Replay(fresh, keys);
            Replay there = new Replay(other, keys);
            for (Map.Entry<Long, Step> entry : steps.entrySet()) {
                Object answer = here.answer(entry.getKey(), entry.getValue());
                Object otherAnswer = there.answer(entry.getKey(), entry.getValue());
                lines.add("%d: %s\n   %s: %s\n   %s: %s"
                        .formatted(entry.getKey(), entry.getValue(), fresh.name(), answer, other.name(), otherAnswer));
                if (!answer.equals(otherAnswer)) {
                    return true;
                }
            }
            return false;
        }
    }
}
