/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Reads fields of JSON objects strictly: what is there must be of the type that is asked for. */
final class Json {

    private Json() {}

    static JsonNode required(JsonNode object, String field) {
        JsonNode value = object.get(field);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException("no \"" + field + "\"");
        }
        return value;
    }

    static String text(JsonNode object, String field) {
        return required(object, field).asText();
    }

    static boolean has(JsonNode object, String field) {
        return object.hasNonNull(field);
    }

    static long number(JsonNode object, String field) {
        return whole(required(object, field), "\"" + field + "\"");
    }

    static long number(JsonNode object, String field, long otherwise) {
        return has(object, field) ? number(object, field) : otherwise;
    }

    static long whole(JsonNode value, String what) {
        if (!value.isNumber()) {
            throw new IllegalArgumentException(what + " is no number: " + value);
        }
        try {
            return value.decimalValue().longValueExact();
        } catch (ArithmeticException e) {
            throw new Unsupported(what + " = " + value + ", not a whole number");
        }
    }

    static void checkFields(String kind, JsonNode object, Set<String> known) {
        object.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new Unsupported(kind + " " + field);
            }
        });
    }
}
