/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testkit.Stores;
import io.github.ratelimit.testredis.RedisServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What came of running the sequences of a directory on several stores. A sequence is counted once, however often it ran. */
final class Tally {

    private final Vectors vectors;
    private final List<String> lines = new ArrayList<>();
    private final Set<Sequence> run = new LinkedHashSet<>();
    private final List<String> mismatches = new ArrayList<>();
    private final Map<String, String> unsupported = new LinkedHashMap<>();
    private int names;

    Tally(Vectors vectors) {
        this.vectors = vectors;
        unsupported.putAll(vectors.unsupported());
    }

    /** Runs every sequence in this JVM and on Redis through both clients. */
    static Tally everywhere(Vectors vectors, RedisServer redis) {
        Tally tally = new Tally(vectors);
        tally.runOnEach(Stores::local);
        try (StoreUnderTest lettuce = Stores.lettuce(redis)) {
            tally.runOn(lettuce);
        }
        try (StoreUnderTest jedis = Stores.jedis(redis)) {
            tally.runOn(jedis);
        }
        return tally;
    }

    /** Runs every sequence on a store. */
    void runOn(StoreUnderTest store) {
        int before = mismatches.size();
        vectors.sequences().forEach(sequence -> run(sequence, store));
        count(store, before);
    }

    /** Runs every sequence on a store of its own: one that makes room for others would notice them in a clock's step back. */
    void runOnEach(Supplier<StoreUnderTest> open) {
        int before = mismatches.size();
        for (Sequence sequence : vectors.sequences()) {
            try (StoreUnderTest store = open.get()) {
                run(sequence, store);
            }
        }
        try (StoreUnderTest store = open.get()) {
            count(store, before);
        }
    }

    private void count(StoreUnderTest store, int before) {
        lines.add("%s: %d mismatches in %d sequences, %d steps"
                .formatted(store.name(), mismatches.size() - before, run.size(), steps()));
    }

    private void run(Sequence sequence, StoreUnderTest store) {
        try {
            List<Levels.BucketAs> ways = Levels.runsBothWays(sequence)
                    ? List.of(Levels.BucketAs.values())
                    : List.of(Levels.BucketAs.TOKEN_BUCKET);
            for (Levels.BucketAs way : ways) {
                List<Level> levels = Levels.of(sequence, way, "conformance-" + names++);
                String as = ways.size() > 1 ? store.name() + " as " + way : store.name();
                new SequenceRun(sequence, levels, store)
                        .mismatches()
                        .forEach(mismatch -> mismatches.add(as + ": " + mismatch));
            }
            run.add(sequence);
        } catch (Unsupported e) {
            unsupported.put(sequence.id(), e.getMessage());
        } catch (RuntimeException e) {
            mismatches.add(store.name() + ": " + sequence.id() + " threw " + e);
        }
    }

    private int steps() {
        return run.stream().mapToInt(sequence -> sequence.steps().size()).sum();
    }

    List<String> mismatches() {
        return mismatches;
    }

    Map<String, String> unsupported() {
        return unsupported;
    }

    /** What to print: what was passed over, each mismatch, each unsupported sequence with its reason, a line per store, the closing line. */
    List<String> report() {
        List<String> report = new ArrayList<>(vectors.passedOver());
        report.addAll(mismatches);
        unsupported.forEach((id, what) -> report.add("unsupported: " + id + ": " + what));
        report.addAll(lines);
        report.add("conformance: %d sequences, %d steps, %d mismatches, %d unsupported"
                .formatted(run.size(), steps(), mismatches.size(), unsupported.size()));
        return report;
    }
}
