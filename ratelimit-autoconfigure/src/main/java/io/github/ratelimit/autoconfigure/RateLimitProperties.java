/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.StoreKind;
import io.github.ratelimit.tuning.Tuning;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code ratelimit.*}, as one immutable snapshot. Each limit and its numbers are checked where they are
 * merged with what annotations state.
 *
 * @param enabled Whether calls are limited at all. When false there is no proxy, no connection to Redis and no header, and
 *     every decision is "uncounted".
 * @param store Who keeps the counters: Redis, or this JVM alone.
 * @param keyPrefix What the keys in Redis begin with. Applications with the same prefix share their counters.
 * @param shadow Whether every limit only watches: calls are decided, measured and logged, and never denied or delayed.
 * @param onStoreFailure What happens to a call when the store cannot answer, for limits that do not say otherwise.
 * @param localShare Part of the permits that one instance grants while Redis is away, above 0 and at most 1; one permit at least.
 * @param storeTimeout Longest time a decision may take before the failure policy applies.
 * @param waiting Waiting instead of being denied.
 * @param local Counters in this JVM.
 * @param redis Counters in Redis.
 * @param gateOrder Order of the advice around limited methods. The default is outside transactions and caches, and inside
 *     method security.
 * @param defaults What holds for every limit that does not say otherwise.
 * @param limits Limits by name, as the annotation names them.
 * @param http Limits in HTTP: headers, error answers, callers and path rules.
 */
@ConfigurationProperties(RateLimitProperties.PREFIX)
public record RateLimitProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("redis") StoreKind store,
        @Nullable String keyPrefix,
        @DefaultValue("false") boolean shadow,
        @DefaultValue("local") FailurePolicy onStoreFailure,
        @DefaultValue("1.0") double localShare,
        @DefaultValue("250ms") Duration storeTimeout,
        @DefaultValue Waiting waiting,
        @DefaultValue Local local,
        @DefaultValue Redis redis,
        @DefaultValue("1000") int gateOrder,
        @DefaultValue Defaults defaults,
        @DefaultValue Map<String, LimitSettings> limits,
        @DefaultValue @NestedConfigurationProperty HttpProperties http) {

    static final String PREFIX = "ratelimit";

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Checks the values that belong to no limit. */
    public RateLimitProperties {
        limits = Map.copyOf(limits);
        if (keyPrefix != null) {
            checkPrefix(keyPrefix);
        }
        Checks.that(
                localShare > 0 && localShare <= 1,
                "local-share",
                localShare,
                "is no part",
                "Use a number above 0 and at most 1. To grant nothing, use on-store-failure: deny.");
        Checks.between(SHORTEST, Duration.ofMinutes(1), "store-timeout", storeTimeout);
    }

    /** What these properties say about limits. */
    public Tuning tuning() {
        return new Tuning(defaults.settings(), limits, shadow, store, onStoreFailure);
    }

    /** The same for a prefix that is stated and for one that is made of the application's name, which may have blanks. */
    static void checkPrefix(String prefix) {
        Checks.that(
                !prefix.isBlank() && prefix.chars().noneMatch(c -> c == '{' || c == '}' || c < ' '),
                "key-prefix",
                prefix,
                "has a brace or a control character in it, or nothing",
                "Use letters, digits, ':', '.', '_' and '-'.");
    }

    /**
     * Waiting instead of being denied.
     *
     * @param leakyBucket Longest delay of a leaky bucket that states no max-wait; at most one hour.
     * @param blockedThreads How many platform threads may wait at once. Further calls are denied.
     */
    public record Waiting(
            @DefaultValue("5s") Duration leakyBucket,
            @DefaultValue("100") int blockedThreads) {

        /** Checks the values. */
        public Waiting {
            Checks.between(Duration.ZERO, Duration.ofHours(1), "waiting.leaky-bucket", leakyBucket);
            Checks.that(
                    blockedThreads >= 0,
                    "waiting.blocked-threads",
                    blockedThreads,
                    "is negative",
                    "Use 0 to let no thread wait.");
        }
    }

    /**
     * Counters in this JVM.
     *
     * @param maxKeys How many keys have a counter of their own. Past it, new keys share one counter per limit.
     */
    public record Local(@DefaultValue("1000000") int maxKeys) {

        /** Checks the value. */
        public Local {
            Checks.that(
                    maxKeys >= 1, "local.max-keys", maxKeys, "counts nobody", "Use 1 or more; the default is 1000000.");
        }
    }

    /**
     * Counters in Redis.
     *
     * @param denialCache Whether a key that is known to be denied is denied again without waiting for Redis. Permits that
     *     other instances give back are seen within a second.
     * @param coalescing Whether calls that come while others wait for Redis share a round trip: with calls on any key where
     *     both are plain token buckets and Redis is no cluster, else with calls on the same key. No effect with Jedis.
     */
    public record Redis(
            @DefaultValue("true") boolean denialCache,
            @DefaultValue("true") boolean coalescing) {}

    /**
     * What holds for every limit that does not say otherwise.
     *
     * @param algorithm How permits are counted.
     * @param permits How many permits there are per period. Alone it does not define a limit that is named explicitly.
     * @param period The period.
     */
    public record Defaults(
            @DefaultValue("token-bucket") Algorithm algorithm,
            @Nullable Long permits,
            @DefaultValue("1m") Duration period) {

        /** Checks the numbers, whether a limit uses them or not; whether they fit its algorithm is seen with the limit. */
        public Defaults {
            try {
                var unused = Limit.named("defaults")
                        .permits(permits == null ? 1 : permits)
                        .period(period)
                        .burst(1L)
                        .build();
            } catch (InvalidLimitException e) {
                Checks.that(false, "defaults." + e.attribute(), e.value(), e.problem(), e.remedy());
            }
        }

        LimitSettings settings() {
            return LimitSettings.of(algorithm, new Numbers(permits, period, null), null, null);
        }
    }
}
