/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;

/** What a client would rather read: a page, or a problem in JSON. */
public final class Preference {

    private static final List<MediaType> PAGES = List.of(MediaType.TEXT_HTML, MediaType.APPLICATION_XHTML_XML);
    private static final List<MediaType> PROBLEMS =
            List.of(MediaType.APPLICATION_PROBLEM_JSON, MediaType.APPLICATION_JSON);

    private Preference() {}

    /**
     * Whether a client prefers a page: it names one, and rates JSON lower, or only includes it in a wildcard that is
     * rated no higher. What cannot be read prefers nothing.
     *
     * @param accept the header's value, of all its lines
     */
    public static boolean isPage(@Nullable String accept) {
        if (accept == null || !accept.toLowerCase(Locale.ROOT).contains("html")) {
            return false;
        }
        try {
            List<MediaType> ranges = read(accept);
            double page = quality(ranges, PAGES, false);
            double named = quality(ranges, PROBLEMS, false);
            double problem = named < 0 ? quality(ranges, PROBLEMS, true) : named;
            return page > 0 && (page > problem || (page == problem && named < 0));
        } catch (InvalidMediaTypeException | InvalidMimeTypeException unreadable) {
            return false;
        }
    }

    /** What a client accepts, what it would rather have first; everything, if it does not say, or nobody can read it. */
    static List<MediaType> inOrder(@Nullable String accept) {
        try {
            List<MediaType> ranges = read(accept);
            return ranges.isEmpty() ? List.of(MediaType.ALL) : ranges;
        } catch (InvalidMediaTypeException | InvalidMimeTypeException unreadable) {
            return List.of(MediaType.ALL);
        }
    }

    /** In order. More than fifty Spring does not put in order, and finds no page for. */
    private static List<MediaType> read(@Nullable String accept) {
        List<MediaType> ranges = MediaType.parseMediaTypes(accept);
        MimeTypeUtils.sortBySpecificity(ranges);
        return ranges;
    }

    /** The best rating of these types; -1 when none is accepted. */
    private static double quality(List<MediaType> ranges, List<MediaType> types, boolean wildcards) {
        double best = -1;
        for (MediaType range : ranges) {
            boolean meant = wildcards
                    ? types.stream().anyMatch(range::includes)
                    : types.stream().anyMatch(range::equalsTypeAndSubtype);
            best = meant ? Math.max(best, range.getQualityValue()) : best;
        }
        return best;
    }
}
