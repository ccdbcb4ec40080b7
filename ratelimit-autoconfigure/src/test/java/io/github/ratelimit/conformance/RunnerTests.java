/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testkit.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The runner of the sequences notices what is wrong, and passes over nothing in silence. */
class RunnerTests {

    @TempDir
    Path directory;

    @Test
    void aWrongExpectationIsAMismatch() throws IOException {
        Tally tally = run("""
                {"id": "wrong", "algorithm": "gcra", "params": {"capacity": 3, "refillTokens": 3, "refillPeriod": 1000000},
                 "steps": [{"t": 0, "expect": {"allowed": true, "remaining": 1}},
                           {"t": 1, "expect": {"allowed": true, "remaining": 1, "resetAfter": 666667}}]}""");
        assertThat(tally.mismatches())
                .hasSize(4)
                .anyMatch(line -> line.contains("wrong, step 0") && line.contains("remaining: expected 1, got 2"))
                .anyMatch(line ->
                        line.contains("wrong, step 1") && line.contains("resetAfter: expected 666667, got 666666"));
        assertThat(tally.report()).last().isEqualTo("conformance: 1 sequences, 2 steps, 4 mismatches, 0 unsupported");
    }

    @Test
    void timesMayBeOffByTheTolerance() throws IOException {
        Tally tally = run("""
                {"id": "rough", "algorithm": "gcra", "params": {"capacity": 3, "refillTokens": 3, "refillPeriod": 1000000},
                 "toleranceUs": 1, "steps": [{"t": 0, "expect": {"resetAfter": 333333}}]}""");
        assertThat(tally.mismatches()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "op borrow             | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'op': 'borrow'",
                "parameter colour      | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000, 'colour': 1 | 'op': 'peek'",
                "algorithm dice        | 'dice'         | 'capacity': 3 | 'op': 'peek'",
                "step field mood       | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'mood': 1",
                "expected field colour | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'expect': {'colour': 1}",
                "nearest accepted      | 'fixed_window' | 'limit': 3, 'window': 1000001 | 'op': 'peek'",
                "alignTo 1             | 'token_bucket_interval' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000, 'alignTo': 1 | 'op': 'peek'",
                "a lock of             | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'op': 'lock', 'forUs': 2678400000001",
                "cancel of             | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'op': 'cancel', 'id': 'a'",
                "maxWait -1            | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'op': 'reserve', 'maxWait': -1",
                "permits -1            | 'token_bucket' | 'capacity': 3, 'refillTokens': 3, 'refillPeriod': 1000000 | 'permits': -1",
                "slots = 7             | 'sliding_window_slots' | 'limit': 3, 'window': 1000000, 'slots': 7 | 'op': 'peek'",
            },
            quoteCharacter = '"')
    void whatIsNotKnownIsNamedAsUnsupported(String what, String algorithm, String params, String step)
            throws IOException {
        Tally tally = run("{'id': 'odd', 'algorithm': %s, 'params': {%s}, 'steps': [{'t': 0, %s}]}"
                .formatted(algorithm, params, step)
                .replace('\'', '"'));
        assertThat(tally.unsupported().get("vectors.json#odd")).contains(what);
        assertThat(tally.report())
                .anyMatch(line -> line.startsWith("unsupported: vectors.json#odd"))
                .last()
                .isEqualTo("conformance: 0 sequences, 0 steps, 0 mismatches, 1 unsupported");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"kind\": \"sequences\"", "{\"kind\": \"sequences\"}", "{\"kind\": \"other\"}"})
    void aDirectoryWithoutReadableSequencesIsAnError(String content) throws IOException {
        if (!content.isEmpty()) {
            Files.writeString(directory.resolve("vectors.json"), content);
        }
        assertThatThrownBy(() -> Vectors.in(directory)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDirectoryThatDoesNotExistIsAnError() {
        assertThatThrownBy(() -> Vectors.in(directory.resolve("nowhere"))).hasMessageContaining("nowhere");
    }

    @Test
    void whatCannotBeReadIsNamedAndTheRestRuns() throws IOException {
        Tally tally = run("""
                {"id": "broken", "algorithm": "gcra", "params": {}, "steps": [{"t": "soon"}]},
                {"id": "bare", "algorithm": "gcra", "steps": []},
                {"id": "whole", "algorithm": "gcra", "params": {"capacity": 1, "refillTokens": 1, "refillPeriod": 1000},
                 "colour": "red", "steps": [{"t": 0, "expect": {"allowed": true}}]}""");
        assertThat(tally.unsupported().get("vectors.json#broken")).contains("soon");
        assertThat(tally.unsupported().get("vectors.json#bare")).contains("params");
        assertThat(tally.report())
                .contains("passed over: field \"colour\" of vectors in vectors.json")
                .last()
                .isEqualTo("conformance: 1 sequences, 1 steps, 0 mismatches, 2 unsupported");
    }

    @Test
    void aWaitBeyondTheLongestIsUnsupportedOnlyWhereItMatters() throws IOException {
        Tally tally = run("""
                {"id": "short", "algorithm": "gcra", "params": {"capacity": 1, "refillTokens": 1, "refillPeriod": 1000000},
                 "steps": [{"t": 0, "expect": {"allowed": true}},
                           {"t": 0, "op": "reserve", "maxWait": 7200000000, "expect": {"allowed": true, "wait": 1000000}}]},
                {"id": "long", "algorithm": "gcra", "params": {"capacity": 1, "refillTokens": 1, "refillPeriod": 3600001000},
                 "steps": [{"t": 0, "expect": {"allowed": true}},
                           {"t": 0, "op": "reserve", "maxWait": null, "expect": {"allowed": true, "wait": 3600001000}}]}""");
        assertThat(tally.mismatches()).isEmpty();
        assertThat(tally.unsupported()).containsOnlyKeys("vectors.json#long");
    }

    @Test
    void unjudgedVectorsAreNotCounted() throws IOException {
        Tally tally = run("""
                {"id": "a", "unjudged": "disputed", "algorithm": "dice", "params": {}, "steps": []},
                {"id": "b", "algorithm": "gcra", "params": {"capacity": 3, "refillTokens": 3, "refillPeriod": 1000000},
                 "steps": []}""");
        assertThat(tally.report()).last().isEqualTo("conformance: 1 sequences, 0 steps, 0 mismatches, 0 unsupported");
    }

    @Test
    void startsInTheStateThatIsStated() throws IOException {
        Tally tally = run("""
                {"id": "empty", "algorithm": "token_bucket",
                 "params": {"capacity": 4, "refillTokens": 1, "refillPeriod": 1000000, "initialTokens": 1},
                 "steps": [{"t": 0, "op": "peek", "permits": 0, "expect": {"remaining": 1, "resetAfter": 3000000}},
                           {"t": 0, "key": "other", "permits": 2, "expect": {"allowed": false, "retryAfter": 1000000}}]},
                {"id": "interval", "algorithm": "token_bucket_interval",
                 "params": {"capacity": 4, "refillTokens": 2, "refillPeriod": 1000000, "initialTokens": 0, "alignTo": 0},
                 "steps": [{"t": 999999, "expect": {"allowed": false, "remaining": 0, "retryAfter": 1}},
                           {"t": 1000000, "expect": {"allowed": true, "remaining": 1}}]},
                {"id": "estimate", "algorithm": "sliding_window_counter",
                 "params": {"limit": 50, "window": 60000000, "initialPrevious": 42, "initialCurrent": 18},
                 "steps": [{"t": 15000000, "op": "peek", "permits": 0, "expect": {"remaining": 0}},
                           {"t": 15000000, "expect": {"allowed": false}},
                           {"t": 30000000, "op": "peek", "permits": 0, "expect": {"remaining": 11}}]},
                {"id": "later estimate", "algorithm": "sliding_window_counter",
                 "params": {"limit": 50, "window": 60000000, "initialPrevious": 42, "initialCurrent": 18},
                 "steps": [{"t": 90000000, "op": "peek", "permits": 0, "expect": {"remaining": 11}}]},
                {"id": "window", "algorithm": "fixed_window",
                 "params": {"limit": 5, "window": 1000000, "initialCurrent": 4},
                 "steps": [{"t": 1500000, "op": "peek", "permits": 0, "expect": {"remaining": 1, "resetAfter": 500000}},
                           {"t": 2000000, "op": "peek", "permits": 0, "expect": {"remaining": 5}}]}""");
        assertThat(tally.mismatches()).isEmpty();
        assertThat(tally.unsupported()).isEmpty();
    }

    @Test
    void everyOperationRuns() throws IOException {
        Tally tally = run("""
                {"id": "ops", "algorithm": "token_bucket_reservations",
                 "params": {"capacity": 2, "refillTokens": 2, "refillPeriod": 1000},
                 "steps": [
                  {"t": 0, "op": "acquire_up_to", "permits": 3, "expect": {"granted": 2, "remaining": 0}},
                  {"t": 0, "op": "reserve", "permits": 1, "maxWait": null, "id": "a", "expect": {"wait": 500}},
                  {"t": 0, "op": "reserve", "permits": 1, "maxWait": 999, "expect": {"allowed": false, "retryAfter": 1}},
                  {"t": 1, "op": "cancel", "id": "a", "expect": {"restored": 1, "remaining": 0}},
                  {"t": 1, "op": "refund", "permits": 1, "expect": {"remaining": 1, "resetAfter": 499}},
                  {"t": 1, "op": "lock", "forUs": 3000, "expect": {}},
                  {"t": 1, "expect": {"allowed": false, "retryAfter": 3000}},
                  {"t": 1, "op": "reset", "expect": {"remaining": 2, "resetAfter": 0}},
                  {"t": 1, "op": "burst_of", "count": 5, "every": 250, "expect": {"allowedCount": 4}},
                  {"t": 1001, "permits": 3, "expect": {"allowed": false, "retryAfter": "never"}}]},
                {"id": "rate", "algorithm": "leaky_bucket_queue",
                 "params": {"refillTokens": 1, "refillPeriod": 1500, "maxWait": 3000},
                 "steps": [{"t": 0, "permits": 2, "expect": {"wait": 0}}, {"t": 0, "expect": {"wait": 3000}},
                           {"t": 1, "expect": {"allowed": false, "wait": null, "retryAfter": 1499}}]}""");
        assertThat(tally.mismatches()).isEmpty();
        assertThat(tally.unsupported()).isEmpty();
    }

    private Tally run(String vectors) throws IOException {
        Files.writeString(
                directory.resolve("vectors.json"),
                "{\"schema\": 1, \"kind\": \"sequences\", \"timeUnit\": \"us\", \"vectors\": [" + vectors + "]}");
        Files.writeString(directory.resolve("README.md"), "not JSON");
        Files.writeString(directory.resolve("other.json"), "{\"kind\": \"other\"}");
        Tally tally = new Tally(Vectors.in(directory));
        try (StoreUnderTest store = Stores.local()) {
            tally.runOn(store);
        }
        return tally;
    }
}
