/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.util.Locale;

/** Names as Spring Boot compares property names: case, {@code -} and {@code _} do not count. */
final class RelaxedNames {

    private RelaxedNames() {}

    /** The form in which equal names are equal strings. */
    static String relaxed(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** Of two spellings of one name the one that tells more words apart; of equally long ones the first. */
    static String better(String one, String other) {
        int byLength = Integer.compare(one.length(), other.length());
        return byLength > 0 || (byLength == 0 && one.compareTo(other) <= 0) ? one : other;
    }

    /** A limit's property, with brackets where a plain name would be split at its dots. */
    static String property(String limit) {
        return limit.indexOf('.') < 0 ? "ratelimit.limits." + limit : "ratelimit.limits[" + limit + "]";
    }
}
