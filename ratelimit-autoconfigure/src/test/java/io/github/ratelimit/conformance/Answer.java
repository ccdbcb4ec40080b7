/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a store answered to a step, in the vectors' words, and what of it is not as expected. */
final class Answer {

    static final Set<String> FIELDS =
            Set.of("allowed", "remaining", "retryAfter", "resetAfter", "wait", "granted", "restored", "allowedCount");

    private static final Set<String> TIMES = Set.of("retryAfter", "resetAfter", "wait");
    private static final String NEVER = "never";

    private final Map<String, @Nullable Object> fields = new HashMap<>();

    /** The fields of a decision. A null value is an answer: no time to tell. */
    static Answer of(Decision decision) {
        Answer answer = new Answer();
        if (decision instanceof Denied denied) {
            answer.fields.put("remaining", denied.remaining());
            answer.fields.put("resetAfter", denied.resetAfterMicros());
            answer.fields.put(
                    "retryAfter",
                    denied.retryAfterMicros() == Denied.NEVER ? NEVER : (Object) denied.retryAfterMicros());
            answer.fields.put("wait", null);
        } else if (decision instanceof Allowed allowed) {
            answer.fields.put("remaining", allowed.remaining());
            answer.fields.put("resetAfter", allowed.resetAfterMicros());
            answer.fields.put("retryAfter", null);
            answer.fields.put("wait", allowed.delayMicros());
        }
        return answer.with("allowed", decision.passes());
    }

    Answer with(String field, @Nullable Object value) {
        fields.put(field, value);
        return this;
    }

    /** Each expected field that was answered differently, as {@code field: expected …, got …}. */
    List<String> differences(JsonNode expected, long toleranceMicros) {
        List<String> differences = new ArrayList<>();
        expected.properties().forEach(field -> {
            String name = field.getKey();
            Object got = fields.get(name);
            boolean same = fields.containsKey(name)
                    && isSame(field.getValue(), got, TIMES.contains(name) ? toleranceMicros : 0);
            if (!same) {
                differences.add(name + ": expected " + field.getValue() + ", got "
                        + (fields.containsKey(name) ? got : "nothing"));
            }
        });
        return differences;
    }

    private static boolean isSame(JsonNode expected, @Nullable Object got, long tolerance) {
        if (expected.isNumber() && got instanceof Long number) {
            return Math.abs(Json.whole(expected, "expected number") - number) <= tolerance;
        }
        if (expected.isBoolean() || expected.isTextual()) {
            return expected.asText().equals(String.valueOf(got));
        }
        return expected.isNull() && got == null;
    }
}
