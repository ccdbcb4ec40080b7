/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Anchor;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Refill;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one place states about a limit: {@code ratelimit.defaults}, an annotation, or {@code ratelimit.limits.<name>}.
 * {@code null}: not stated there.
 *
 * @param algorithm how permits are counted
 * @param permits how many permits there are per period
 * @param period the period
 * @param burst buckets: the capacity; the permits unless stated
 * @param refill token bucket: steadily (unless stated), or all at once at each tick of the clock
 * @param slots sliding window counter: into how many parts the period is divided; 10 unless stated
 * @param strict sliding window counter: whether the slot that leaves counts in full; true unless stated
 * @param anchor fixed window: at multiples of the period on the clock (unless stated), or at the first call
 * @param pace leaky bucket: whether calls are delayed until their departure; true unless stated
 * @param largeLog sliding window log: whether more than 10,000 permits are allowed
 * @param maxWait how long callers wait that do not say so themselves; unless stated they are denied at once
 * @param penalty how long a key stays denied after a denial
 * @param shadow whether the limit only watches: counted and reported, never enforced
 * @param digestKeys whether the store keeps a digest of the key instead of the key
 * @param store {@code local}: every instance counts for itself
 * @param onStoreFailure what happens when the store cannot answer
 * @param adaptive how the numbers follow the load of the instance; unless stated they do not
 * @param plans other numbers for the same limit, by name
 * @param keys which key is on which plan
 */
public record LimitSettings(
        @Nullable Algorithm algorithm,
        @Nullable Long permits,
        @Nullable Duration period,
        @Nullable Long burst,
        @Nullable Refill refill,
        @Nullable Integer slots,
        @Nullable Boolean strict,
        @Nullable Anchor anchor,
        @Nullable Boolean pace,
        @Nullable Boolean largeLog,
        @Nullable Duration maxWait,
        @Nullable Duration penalty,
        @Nullable Boolean shadow,
        @Nullable Boolean digestKeys,
        @Nullable StoreKind store,
        @Nullable FailurePolicy onStoreFailure,
        @Nullable Adaptive adaptive,
        Map<String, Numbers> plans,
        Map<String, String> keys) {

    /** Nothing stated. */
    public static final LimitSettings NONE = of(null, Numbers.NONE, null, null);

    /** Copies the maps; a map that is not there is empty. */
    @SuppressWarnings("ConstantValue") // constructor binding passes null for what is not stated
    public LimitSettings {
        plans = plans == null ? Map.of() : Map.copyOf(plans);
        keys = keys == null ? Map.of() : Map.copyOf(keys);
    }

    /** What an annotation can state. */
    public static LimitSettings of(
            @Nullable Algorithm algorithm,
            Numbers numbers,
            @Nullable Duration penalty,
            @Nullable FailurePolicy onStoreFailure) {
        return new LimitSettings(
                algorithm,
                numbers.permits(),
                numbers.period(),
                numbers.burst(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                penalty,
                null,
                null,
                null,
                onStoreFailure,
                null,
                Map.of(),
                Map.of());
    }

    /** The numbers among these settings. */
    public Numbers numbers() {
        return new Numbers(permits, period, burst);
    }

    /** These settings, and the weaker ones where these say nothing. */
    public LimitSettings over(LimitSettings weaker) {
        Numbers numbers = numbers().over(weaker.numbers());
        return new LimitSettings(
                first(algorithm, weaker.algorithm),
                numbers.permits(),
                numbers.period(),
                numbers.burst(),
                first(refill, weaker.refill),
                first(slots, weaker.slots),
                first(strict, weaker.strict),
                first(anchor, weaker.anchor),
                first(pace, weaker.pace),
                first(largeLog, weaker.largeLog),
                first(maxWait, weaker.maxWait),
                first(penalty, weaker.penalty),
                first(shadow, weaker.shadow),
                first(digestKeys, weaker.digestKeys),
                first(store, weaker.store),
                first(onStoreFailure, weaker.onStoreFailure),
                first(adaptive, weaker.adaptive),
                plans.isEmpty() ? weaker.plans : plans,
                keys.isEmpty() ? weaker.keys : keys);
    }

    /** All of these settings but the burst. */
    LimitSettings withoutBurst() {
        return new LimitSettings(
                algorithm,
                permits,
                period,
                null,
                refill,
                slots,
                strict,
                anchor,
                pace,
                largeLog,
                maxWait,
                penalty,
                shadow,
                digestKeys,
                store,
                onStoreFailure,
                adaptive,
                plans,
                keys);
    }

    /** What is stated for an attribute, by its name in {@code application.yml}. */
    @Nullable
    Object stated(String attribute) {
        return switch (attribute) {
            case "algorithm" -> algorithm;
            case "permits" -> permits;
            case "period" -> period;
            case "burst" -> burst;
            case "refill" -> refill;
            case "slots" -> slots;
            case "strict" -> strict;
            case "anchor" -> anchor;
            case "pace" -> pace;
            case "large-log" -> largeLog;
            case "max-wait" -> maxWait;
            case "penalty" -> penalty;
            case "shadow" -> shadow;
            case "digest-keys" -> digestKeys;
            case "store" -> store;
            case "on-store-failure" -> onStoreFailure;
            default -> null;
        };
    }

    private static <T> @Nullable T first(@Nullable T stronger, @Nullable T weaker) {
        return stronger != null ? stronger : weaker;
    }
}
