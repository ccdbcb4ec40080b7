/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text under which a value is counted.
 *
 * <p>Scalars are their text, so that {@code 42L} in one method and {@code "42"} in another are one tenant. Values of
 * several parts are written {@code [a,b]}, records {@code [type|a,b]}, bytes {@code [byte|0a1b]}; what is in the parts is
 * escaped, and so is the beginning of a scalar that would look like one of these. Therefore two values have the same
 * text only if they are equal, or scalars (or sequences of them) that read the same. Sets and maps are written in the
 * order of the texts of their elements.
 */
final class KeyText {

    private static final int DEEPEST = 16;

    private KeyText() {}

    /** The text of a value; a complaint of the site when the value is null, blank or has no text of its own. */
    static String of(@Nullable Object value, Site site) {
        if (value instanceof String text) {
            return plain(text, site);
        }
        Object present = unwrap(value);
        String scalar = present == null ? null : ScalarText.of(present, site);
        if (scalar != null) {
            return plain(scalar, site);
        }
        StringBuilder out = new StringBuilder(64);
        append(out, present, site, 0);
        return out.toString();
    }

    /** Whether no value of this type can ever be a key. */
    static boolean neverFits(Class<?> type) {
        return type.isArray()
                ? neverFits(type.getComponentType())
                : type == void.class || type == Caller.class || ScalarText.isOnlyAnIdentity(type);
    }

    private static String plain(String text, Site site) {
        if (text.isBlank()) {
            throw site.noKey("is blank");
        }
        char first = text.charAt(0);
        return first == '[' || first == '\\' ? "\\" + text : text;
    }

    private static @Nullable Object unwrap(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return unwrap(optional.orElse(null));
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? optional.getAsLong() : null;
        }
        if (value instanceof OptionalInt optional) {
            return optional.isPresent() ? optional.getAsInt() : null;
        }
        return value;
    }

    private static void append(StringBuilder out, @Nullable Object wrapped, Site site, int depth) {
        Object value = unwrap(wrapped);
        if (value == null) {
            throw site.noKey(depth == 0 ? "is null" : "has a part that is null");
        }
        if (depth > DEEPEST) {
            throw site.noKey("is nested too deeply");
        }
        String scalar = ScalarText.of(value, site);
        if (scalar != null) {
            if (scalar.isBlank()) {
                throw site.noKey("has a part that is blank");
            }
            escape(out, scalar);
        } else if (value instanceof byte[] bytes && bytes.length > 0) {
            out.append("[byte|").append(HexFormat.of().formatHex(bytes)).append(']');
        } else if (value instanceof Record) {
            RecordParts parts = RecordParts.of(value.getClass());
            escape(out.append('['), value.getClass().getName());
            sequence(out.append('|'), parts.of(value, site), site, depth);
        } else {
            Collection<?> parts = parts(value);
            if (parts.isEmpty()) {
                throw site.noKey(depth == 0 ? "is empty" : "has a part that is empty");
            }
            out.append('[');
            if (value instanceof Set || value instanceof Map) {
                sorted(out, parts, site, depth);
            } else {
                sequence(out, parts, site, depth);
            }
        }
    }

    private static Collection<?> parts(Object value) {
        if (value instanceof Collection<?> parts) {
            return parts;
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet();
        }
        List<@Nullable Object> parts = new ArrayList<>();
        if (value instanceof Map.Entry<?, ?> entry) {
            parts.add(entry.getKey());
            parts.add(entry.getValue());
        } else {
            for (int i = 0; i < Array.getLength(value); i++) {
                parts.add(Array.get(value, i));
            }
        }
        return parts;
    }

    private static void sequence(StringBuilder out, Collection<?> parts, Site site, int depth) {
        String comma = "";
        for (Object part : parts) {
            append(out.append(comma), part, site, depth + 1);
            comma = ",";
        }
        out.append(']');
    }

    private static void sorted(StringBuilder out, Collection<?> parts, Site site, int depth) {
        List<String> texts = new ArrayList<>(parts.size());
        for (Object part : parts) {
            StringBuilder text = new StringBuilder();
            append(text, part, site, depth + 1);
            texts.add(text.toString());
        }
        texts.sort(null);
        out.append(String.join(",", texts)).append(']');
    }

    private static void escape(StringBuilder out, String text) {
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' || c == ',' || c == '[' || c == ']' || c == '|') {
                out.append(text, written, i).append('\\');
                written = i;
            }
        }
        out.append(text, written, text.length());
    }
}
