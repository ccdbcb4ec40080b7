/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * One step of a sequence.
 *
 * @param index its place, from 0
 * @param time when, on the sequence's own axis
 * @param key who calls
 * @param op what is done
 * @param permits how many permits it is about
 * @param expect what must be answered: the fields that are compared
 * @param more the whole step, for what only some operations have
 */
record Step(int index, long time, String key, String op, long permits, JsonNode expect, JsonNode more) {

    private static final Set<String> KNOWN = Set.of(
            "t",
            "key",
            "op",
            "permits",
            "maxWait",
            "id",
            "forUs",
            "count",
            "every",
            "expect",
            "upstream",
            "diverges",
            "note",
            "notes",
            "comment",
            "why",
            "source",
            "derived",
            "tags",
            "unjudged");
    private static final Set<String> OPS =
            Set.of("acquire", "peek", "acquire_up_to", "reserve", "cancel", "refund", "reset", "lock", "burst_of");

    static Step read(int index, JsonNode step) {
        JsonNode expect = step.path("expect");
        return new Step(
                index,
                Json.number(step, "t"),
                step.path("key").asText("default"),
                step.path("op").asText("acquire"),
                Json.number(step, "permits", 1),
                expect,
                step);
    }

    /** Names what this runner does not know. */
    void check() {
        if (!OPS.contains(op)) {
            throw new Unsupported("op " + op);
        }
        Json.checkFields("step field", more, KNOWN);
        Json.checkFields("expected field", expect, Answer.FIELDS);
    }

    boolean isJudged() {
        return !Vectors.isSet(more, "unjudged");
    }

    /** The wait the step accepts, or {@code otherwise} where it does not say; an explicit null is any wait. */
    long maxWait(long otherwise) {
        JsonNode stated = more.get("maxWait");
        return stated == null
                ? otherwise
                : stated.isNull() ? Levels.ANY_WAIT : Levels.acceptedWait(Json.number(more, "maxWait"));
    }
}
