/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.build.RepositoryRoot;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Plays every example of {@code docs/algorithms.md}: the limit in the YAML block, then the table behind it. */
class AlgorithmExamplesTests {

    /** A whole multiple of every period on the page, so that windows of the clock begin at 0. */
    private static final long EPOCH = 1_800_000_000_000_000L;

    @TestFactory
    Stream<DynamicTest> theLibraryAnswersAsThePageSays() {
        List<Example> examples =
                Example.in(RepositoryRoot.text("docs/algorithms.md").lines().toList());
        assertThat(examples).hasSize(7);
        return examples.stream().map(example -> DynamicTest.dynamicTest(example.title(), () -> play(example)));
    }

    private static void play(Example example) {
        AtomicLong clock = new AtomicLong();
        LocalRateLimitStore store = new LocalRateLimitStore(clock::get, 100);
        Limit limit = example.limit();
        for (Map<String, String> row : example.rows()) {
            clock.set(EPOCH + Long.parseLong(cell(row, "at µs")));
            Charge charge =
                    Charge.of(limit, "key", Long.parseLong(cell(row, "cost"))).waiting(example.maxWaitMicros());
            Decision decision =
                    store.acquire(List.of(charge)).toCompletableFuture().join();
            assertThat(told(decision, row)).as("at %s", cell(row, "at µs")).isEqualTo(row);
        }
    }

    /** The row as the library would write it, with the columns that the page shows. */
    private static Map<String, String> told(Decision decision, Map<String, String> row) {
        Map<String, String> told = new LinkedHashMap<>(row);
        if (decision instanceof Allowed allowed) {
            told.put("answer", "allowed");
            told.put("remaining", Long.toString(allowed.remaining()));
            told.replace("delay µs", Long.toString(allowed.delayMicros()));
            told.replace("retry after µs", "");
            told.replace("reset after µs", Long.toString(allowed.resetAfterMicros()));
        } else if (decision instanceof Denied denied) {
            told.put("answer", "denied");
            told.put("remaining", Long.toString(denied.remaining()));
            told.replace("delay µs", "");
            told.replace("retry after µs", Long.toString(denied.retryAfterMicros()));
            told.replace("reset after µs", Long.toString(denied.resetAfterMicros()));
        }
        return told;
    }

    private static String cell(Map<String, String> row, String column) {
        return row.getOrDefault(column, "");
    }
}
