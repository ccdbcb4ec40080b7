/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a comma-separated header from the last to the first, over all its lines.
 *
 * <p>Each proxy appends, so what stands on the right was written by the nearer one. Reading from the right, what a caller
 * sent cannot spoil what a proxy appended: a quote that the caller opened and never closed lies further left. A quote
 * is passed over only where a backslash escapes it, which well-formed text has inside of quotes alone.
 */
final class FromTheRight {

    private final List<String> lines;
    private final boolean quotes;
    private int line;
    private int end = -1;

    /** The elements of these lines, with quoted strings in them or without. */
    FromTheRight(List<String> lines, boolean quotes) {
        this.lines = lines;
        this.quotes = quotes;
        this.line = lines.size();
    }

    /** The element before the last one given that is not empty; {@code null} when there are no more. */
    @Nullable
    String previous() {
        while (true) {
            if (end < 0) {
                if (line == 0) {
                    return null;
                }
                line--;
                end = lines.get(line).length();
            }
            String text = lines.get(line);
            int comma = commaBefore(text);
            String element = text.substring(comma + 1, end).strip();
            end = comma;
            if (!element.isEmpty()) {
                return element;
            }
        }
    }

    private int commaBefore(String text) {
        boolean quoted = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c == ',' && !quoted) {
                return i;
            }
            if (quotes && c == '"' && !escaped(text, i)) {
                quoted = !quoted;
            }
        }
        return -1;
    }

    private static boolean escaped(String text, int at) {
        int backslashes = 0;
        while (at - backslashes > 0 && text.charAt(at - backslashes - 1) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
