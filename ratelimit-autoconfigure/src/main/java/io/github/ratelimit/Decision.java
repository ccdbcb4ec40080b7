/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call: allowed, denied, or uncounted.
 *
 * <p>Where several limits were decided together, the numbers are those of the call as a whole and {@link #parts()} holds
 * each limit's own answer.
 */
public sealed interface Decision {

    /** The name of the limit that decided: the one that denied, else the tightest. */
    String limit();

    /** The plan whose numbers held, or {@code null} for the base numbers. */
    @Nullable
    String plan();

    /** Each limit's own answer in declared order; this decision itself where there was one limit. */
    List<Decision> parts();

    /**
     * The decision of a call from each limit's own answer, in declared order: denied if any limit that is enforced
     * denies. Shadow limits have no say and lend no number, unless there is no other.
     */
    static Decision together(List<Decision> parts) {
        return parts.size() == 1 && !isShadowDenial(parts.get(0)) ? parts.get(0) : Together.of(parts);
    }

    /** Whether this answer comes from a limit that only watches, and would have denied. */
    static boolean isShadowDenial(Decision part) {
        return part instanceof Denied denied && denied.definition().shadow();
    }

    /** Whether the call goes ahead. */
    default boolean passes() {
        return !(this instanceof Denied);
    }

    /**
     * The call goes ahead, after the delay.
     *
     * <p>What remains is kept as an {@code int}, since no limit has more than 10<sup>9</sup> permits: that makes the answer to
     * most calls a sixth smaller. Everyone reads it as {@link #remaining()}.
     *
     * @param definition the limit, with the numbers that held
     * @param left what a caller of cost 1 could still get now
     * @param resetAfterMicros how long until the counter is unused, in microseconds, rounded up
     * @param delayMicros how long the caller has to wait before it goes ahead, in microseconds, rounded up
     * @param several the parts of a decision of several limits; empty for one limit
     */
    record Allowed(Limit definition, int left, long resetAfterMicros, long delayMicros, List<Decision> several)
            implements Decision {

        /**
         * The answer of several limits.
         *
         * @throws ArithmeticException if more remains than a limit can have
         */
        public Allowed(
                Limit definition, long remaining, long resetAfterMicros, long delayMicros, List<Decision> several) {
            this(definition, Math.toIntExact(remaining), resetAfterMicros, delayMicros, several);
        }

        /**
         * The answer of one limit.
         *
         * @throws ArithmeticException if more remains than a limit can have
         */
        public Allowed(Limit definition, long remaining, long resetAfterMicros, long delayMicros) {
            this(definition, remaining, resetAfterMicros, delayMicros, List.of());
        }

        /** What a caller of cost 1 could still get now. */
        public long remaining() {
            return left;
        }

        @Override
        public String limit() {
            return definition.name();
        }

        @Override
        public @Nullable String plan() {
            return definition.plan();
        }

        @Override
        public List<Decision> parts() {
            return several.isEmpty() ? List.of(this) : several;
        }

        /** Whether this limit is nearer to denying than another: fewer remain, or as many that take longer to come back. */
        public boolean isTighterThan(Allowed other) {
            return left < other.left || (left == other.left && resetAfterMicros > other.resetAfterMicros);
        }

        /** How long until the counter is unused. */
        public Duration resetAfter() {
            return micros(resetAfterMicros);
        }

        /** How long the caller has to wait before it goes ahead. */
        public Duration delay() {
            return micros(delayMicros);
        }
    }

    /**
     * The call does not go ahead, and nothing was charged.
     *
     * @param definition the limit that decided, with the numbers that held
     * @param reason why
     * @param remaining what a caller of cost 1 could still get now
     * @param resetAfterMicros how long until the counter is unused, in microseconds, rounded up
     * @param retryAfterMicros the smallest time after which the same call is granted if nobody else calls, in
     *     microseconds, rounded up; {@link #NEVER} when waiting does not help
     * @param several the parts of a decision of several limits; empty for one limit
     */
    record Denied(
            Limit definition,
            DenialReason reason,
            long remaining,
            long resetAfterMicros,
            long retryAfterMicros,
            List<Decision> several)
            implements Decision {

        /** The time after which a call is granted that no wait helps: longer than any other. */
        public static final long NEVER = Long.MAX_VALUE;

        /** The answer of one limit. */
        public Denied(
                Limit definition, DenialReason reason, long remaining, long resetAfterMicros, long retryAfterMicros) {
            this(definition, reason, remaining, resetAfterMicros, retryAfterMicros, List.of());
        }

        @Override
        public String limit() {
            return definition.name();
        }

        @Override
        public @Nullable String plan() {
            return definition.plan();
        }

        @Override
        public List<Decision> parts() {
            return several.isEmpty() ? List.of(this) : several;
        }

        /** How long until the counter is unused. */
        public Duration resetAfter() {
            return micros(resetAfterMicros);
        }

        /** The smallest wait after which the same call is granted, or {@code null} when waiting does not help. */
        public @Nullable Duration retryAfter() {
            return retryAfterMicros == NEVER ? null : micros(retryAfterMicros);
        }
    }

    /**
     * The call goes ahead because nobody could or should count it.
     *
     * @param limit the limit's name
     * @param plan the plan whose numbers would have held, or {@code null}
     * @param several the parts of a decision of several limits; empty for one limit
     */
    record Uncounted(String limit, @Nullable String plan, List<Decision> several) implements Decision {

        /** The answer of one limit. */
        public Uncounted(String limit, @Nullable String plan) {
            this(limit, plan, List.of());
        }

        @Override
        public List<Decision> parts() {
            return several.isEmpty() ? List.of(this) : several;
        }
    }

    private static Duration micros(long micros) {
        return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
