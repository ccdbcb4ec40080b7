/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What somebody probably meant: the name that takes the fewest letters to change, and fewer than half of them. */
public final class Nearest {

    private Nearest() {}

    /** The nearest of the known names; {@code null} where none is near enough to be meant. */
    public static @Nullable String to(String name, Collection<String> known) {
        String nearest = null;
        int fewest = Math.max(2, name.length() / 3) + 1;
        for (String candidate : known) {
            int letters = distance(name, candidate);
            if (letters < fewest && 2 * letters < Math.min(name.length(), candidate.length())) {
                nearest = candidate;
                fewest = letters;
            }
        }
        return nearest;
    }

    /** Levenshtein's distance, one row at a time. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
