/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import io.github.ratelimit.testkit.StoreUnderTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** Runs every sequence on a store. */
    void runOn(StoreUnderTest store) {
        int sequences = 0;
        int steps = 0;
        int before = mismatches.size();
        for (Sequence sequence : vectors.sequences()) {
            try {
                run(sequence, store);
                run.add(sequence);
                sequences++;
                steps += sequence.steps().size();
            } catch (Unsupported e) {
                unsupported.put(sequence.id(), e.getMessage());
            }
        }
        lines.add("%s: %d sequences, %d steps, %d mismatches"
                .formatted(store.name(), sequences, steps, mismatches.size() - before));
    }

    private void run(Sequence sequence, StoreUnderTest store) {
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
    }

    List<String> mismatches() {
        return mismatches;
    }

    Map<String, String> unsupported() {
        return unsupported;
    }

    /** What to print: each mismatch, each unsupported sequence with its reason, a line per store, the closing line. */
    List<String> report() {
        List<String> report = new ArrayList<>(mismatches);
        unsupported.forEach((id, what) -> report.add("unsupported: " + id + ": " + what));
        report.addAll(lines);
        report.add("conformance: %d sequences, %d steps, %d mismatches, %d unsupported"
                .formatted(
                        run.size(),
                        run.stream()
                                .mapToInt(sequence -> sequence.steps().size())
                                .sum(),
                        mismatches.size(),
                        unsupported.size()));
        return report;
    }
}
