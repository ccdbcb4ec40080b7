/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One vector of a file: parameters, then steps in time with what must be answered.
 *
 * @param id the file's name and the vector's own id
 * @param algorithm its algorithm, in the vectors' words
 * @param params its numbers
 * @param toleranceMicros how far times may be off
 * @param steps its steps
 */
record Sequence(String id, String algorithm, JsonNode params, long toleranceMicros, List<Step> steps) {

    private static final Set<String> KNOWN = Set.of(
            "id",
            "algorithm",
            "params",
            "steps",
            "notes",
            "note",
            "tags",
            "source",
            "title",
            "description",
            "toleranceUs",
            "needsMicroseconds",
            "unjudged");

    /**
     * Reads a vector.
     *
     * @throws Unsupported naming what cannot be read
     */
    static Sequence read(String file, JsonNode vector) {
        String id = file + "#" + Json.text(vector, "id");
        try {
            List<Step> steps = new ArrayList<>();
            for (JsonNode step : Json.required(vector, "steps")) {
                steps.add(Step.read(steps.size(), step));
            }
            return new Sequence(
                    id,
                    Json.text(vector, "algorithm"),
                    Json.required(vector, "params"),
                    Json.number(vector, "toleranceUs", 0),
                    steps);
        } catch (IllegalArgumentException e) {
            throw new Unsupported("cannot be read: " + e.getMessage());
        }
    }

    /** The fields of a vector that this runner does not know; what they say about it is not what it asks. */
    static Set<String> unknownFields(JsonNode vector) {
        Set<String> fields = new TreeSet<>();
        vector.fieldNames().forEachRemaining(fields::add);
        fields.removeAll(KNOWN);
        return fields;
    }
}
