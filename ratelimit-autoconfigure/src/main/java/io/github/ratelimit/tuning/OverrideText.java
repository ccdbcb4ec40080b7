/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.tuning.Overrides.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An override as a note: by the name {@code orders}, or {@code orders/gold} for a plan, the text
 * {@code permits=100 period=60000 burst=20} with the period in milliseconds. Numbers that are not stated are left out.
 */
final class OverrideText {

    private static final int LONGEST = 300;
    private static final Pattern TEXT =
            Pattern.compile("(?:permits=(\\d{1,18}))?(?: ?period=(\\d{1,12}))?(?: ?burst=(\\d{1,18}))?");

    private OverrideText() {}

    static String name(Target target) {
        Target relaxed = target.relaxed();
        return relaxed.plan() == null ? relaxed.limit() : relaxed.limit() + "/" + relaxed.plan();
    }

    static String text(Numbers numbers) {
        List<String> stated = new ArrayList<>();
        if (numbers.permits() != null) {
            stated.add("permits=" + numbers.permits());
        }
        if (numbers.period() != null) {
            stated.add("period=" + numbers.period().toMillis());
        }
        if (numbers.burst() != null) {
            stated.add("burst=" + numbers.burst());
        }
        return String.join(" ", stated);
    }

    /** The target of a name. */
    static Target target(String name) {
        int slash = name.indexOf('/');
        return slash < 0 ? new Target(name, null) : new Target(name.substring(0, slash), name.substring(slash + 1));
    }

    /** The numbers of a text; {@code null}: it is none of ours. */
    static @Nullable Numbers numbers(String name, String text) {
        Matcher parts = TEXT.matcher(text);
        if (name.length() > LONGEST || text.isEmpty() || !parts.matches()) {
            return null;
        }
        String period = parts.group(2);
        return new Numbers(
                number(parts.group(1)),
                period == null ? null : Duration.ofMillis(Long.parseLong(period)),
                number(parts.group(3)));
    }

    private static @Nullable Long number(@Nullable String digits) {
        return digits == null ? null : Long.valueOf(digits);
    }
}
