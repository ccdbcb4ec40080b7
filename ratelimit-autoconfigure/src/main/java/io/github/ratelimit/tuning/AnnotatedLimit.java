/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What all annotations of one name state together. They may repeat each other, and must not contradict. Immutable.
 *
 * @param name the limit's name
 * @param statements what each annotation states, in the order of their registration
 * @param together all that is stated
 */
record AnnotatedLimit(String name, List<Statement> statements, LimitSettings together) {

    private static final List<String> ATTRIBUTES =
            List.of("algorithm", "permits", "period", "burst", "penalty", "on-store-failure");

    static AnnotatedLimit none(String name) {
        return new AnnotatedLimit(name, List.of(), LimitSettings.NONE);
    }

    AnnotatedLimit with(Statement added) {
        if (statements.contains(added)) {
            return this;
        }
        for (Statement earlier : statements) {
            checkOneMethod(earlier, added);
            ATTRIBUTES.forEach(attribute -> checkAgreement(attribute, earlier, added));
        }
        List<Statement> all =
                Stream.concat(statements.stream(), Stream.of(added)).toList();
        return new AnnotatedLimit(name, all, together.over(added.settings));
    }

    /** Whether this is a limit without any property: a derived name, or one annotation with permits and period. */
    boolean defines() {
        return statements.stream().anyMatch(Statement::defines);
    }

    /** The first place that states the attribute; the first of all where none does. */
    String placeOf(String attribute) {
        return statements.stream()
                .filter(statement -> statement.settings.stated(attribute) != null)
                .findFirst()
                .orElse(statements.get(0))
                .place;
    }

    private void checkOneMethod(Statement earlier, Statement added) {
        if (!earlier.explicit && !added.explicit && !earlier.place.equals(added.place)) {
            throw new InvalidLimitException(
                            name,
                            "name",
                            "'" + name + "'",
                            "is derived from two methods, which would share one counter; the other is " + earlier.place,
                            "Give at least one of them a name of its own, @RateLimited(name = \"…\"). If they are to share"
                                    + " one limit, state the same name on both.")
                    .statedIn(added.place);
        }
    }

    private void checkAgreement(String attribute, Statement earlier, Statement added) {
        Object before = earlier.settings.stated(attribute);
        Object now = added.settings.stated(attribute);
        if (before != null && now != null && !before.equals(now)) {
            throw new InvalidLimitException(
                            name,
                            attribute,
                            InWords.of(now),
                            "contradicts " + InWords.of(before) + ", which " + earlier.place
                                    + " states for the same limit",
                            "State it in one of the two annotations, or in neither and set "
                                    + RelaxedNames.property(name) + "." + attribute
                                    + ". If they are two limits, give one of them another name.")
                    .statedIn(added.place);
        }
    }

    /**
     * What one annotation states.
     *
     * @param explicit whether it states the name
     * @param settings what it states about the limit
     * @param place class and method
     */
    record Statement(boolean explicit, LimitSettings settings, String place) {

        private boolean defines() {
            return !explicit || (settings.permits() != null && settings.period() != null);
        }
    }

    /** The first annotation that states the name itself; {@code null}: the name is derived. */
    @Nullable
    Statement explicit() {
        return statements.stream().filter(Statement::explicit).findFirst().orElse(null);
    }
}
