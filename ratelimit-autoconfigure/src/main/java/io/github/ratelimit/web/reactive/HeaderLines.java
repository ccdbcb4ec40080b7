/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;

/** All lines of one header. */
final class HeaderLines {

    private HeaderLines() {}

    /** By going through all: the methods that give one name's values differ between the versions of Spring. */
    static List<String> of(HttpHeaders headers, String wanted) {
        List<String> lines = new ArrayList<>();
        headers.forEach((name, values) -> {
            if (name.equalsIgnoreCase(wanted)) {
                lines.addAll(values);
            }
        });
        return lines;
    }
}
