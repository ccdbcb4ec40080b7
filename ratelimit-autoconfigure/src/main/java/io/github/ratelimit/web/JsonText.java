/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

/** A string of JSON, in ASCII: whatever is written beside it, in whatever charset, it stays what it is. */
final class JsonText {

    private JsonText() {}

    /** The text in quotes. */
    static String of(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c >= ' ' && c <= '~') {
                json.append(c);
            } else {
                json.append("\\u%04x".formatted((int) c));
            }
        }
        return json.append('"').toString();
    }
}
