/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import org.jspecify.annotations.Nullable;

/** One element of {@code Forwarded} (RFC 7239): parameters like {@code for=192.0.2.1;proto=https}. */
final class ForwardedElement {

    private final String text;
    private int at;

    private ForwardedElement(String text) {
        this.text = text;
    }

    /** What stands behind {@code for=}; {@code null} if nothing does, or the element is malformed. */
    static @Nullable String node(String element) {
        return new ForwardedElement(element).read();
    }

    private @Nullable String read() {
        String node = null;
        while (at < text.length()) {
            int start = at;
            token();
            boolean names = text.regionMatches(true, start, "for", 0, 3) && at - start == 3;
            if (at == start || !skip('=') || (names && node != null)) {
                return null;
            }
            String value = at < text.length() && text.charAt(at) == '"' ? quoted() : unquoted();
            if (value == null) {
                return null;
            }
            if (names) {
                node = value;
            }
            blanks();
            if (at < text.length() && !skip(';')) {
                return null;
            }
            blanks();
        }
        return node;
    }

    private void token() {
        while (at < text.length() && isTokenCharacter(text.charAt(at))) {
            at++;
        }
    }

    /** A token; also with the characters of an address, which careless proxies leave without quotes. */
    private @Nullable String unquoted() {
        int start = at;
        while (at < text.length() && (isTokenCharacter(text.charAt(at)) || "[]:".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at == start ? null : text.substring(start, at);
    }

    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return value.toString();
            }
            if (c == '\\' && ++at == text.length()) {
                return null;
            }
            value.append(text.charAt(at));
        }
        return null;
    }

    private boolean skip(char expected) {
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private void blanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }
}
