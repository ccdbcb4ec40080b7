/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

/**
 * A part of {@code docs/performance.md} that is made of measurements, between two marks.
 *
 * @param what the words in the marks
 */
record Section(String what) {

    static Section of(String what) {
        return new Section(what);
    }

    /** The page with this text in this place. */
    String in(String page, String text) {
        String first = "<!-- begin: " + what + " -->\n";
        int begin = page.indexOf(first);
        int end = page.indexOf("<!-- end: " + what + " -->\n");
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("The page has no place for the measurements: " + first);
        }
        return page.substring(0, begin + first.length()) + text + page.substring(end);
    }
}
