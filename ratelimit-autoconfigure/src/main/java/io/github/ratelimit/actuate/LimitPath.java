/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import java.util.List;

/**
 * A path below the endpoint's own: a limit, and what of it.
 *
 * @param limit the limit's name
 * @param part what of the limit; empty: the limit itself
 */
record LimitPath(String limit, String part) {

    static final String KEY = "key";
    static final String OVERRIDE = "override";

    static LimitPath of(String... segments) {
        List<String> all = List.of(segments);
        return all.isEmpty()
                ? new LimitPath("", "")
                : new LimitPath(all.get(0), String.join("/", all.subList(1, all.size())));
    }
}
