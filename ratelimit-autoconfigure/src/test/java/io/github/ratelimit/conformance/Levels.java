/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Anchor;
import io.github.ratelimit.Charge;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitBuilder;
import io.github.ratelimit.Refill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The limits that a sequence's parameters stand for, as the table of the vectors' README says. */
final class Levels {

    /** However long; the library lets nobody wait longer than {@link Charge#LONGEST_WAIT_MICROS}. */
    static final long ANY_WAIT = Long.MAX_VALUE;

    /** The longest lock there is: 31 days. */
    static final long LONGEST_LOCK = Duration.ofDays(31).toNanos() / 1_000;

    /** As what the algorithms run that are one machine: a token bucket, or the plain meter. */
    enum BucketAs {
        TOKEN_BUCKET,
        METER
    }

    private static final Set<String> BUCKETS =
            Set.of("token_bucket", "gcra", "leaky_bucket_meter", "token_bucket_reservations");

    private final BucketAs bucketAs;
    private final List<Level> levels = new ArrayList<>();

    private Levels(BucketAs bucketAs) {
        this.bucketAs = bucketAs;
    }

    /**
     * The limits of a sequence, each under its own name.
     *
     * @throws Unsupported naming what the library does not have
     */
    static List<Level> of(Sequence sequence, BucketAs bucketAs, String name) {
        Levels all = new Levels(bucketAs);
        try {
            all.add(sequence.algorithm(), sequence.params(), name);
        } catch (InvalidLimitException e) {
            throw new Unsupported(String.valueOf(e.getMessage()));
        }
        return all.levels;
    }

    /** Whether the sequence has a bucket that can run both ways. */
    static boolean runsBothWays(Sequence sequence) {
        boolean level = false;
        for (JsonNode one : sequence.params().path("levels")) {
            level |= BUCKETS.contains(one.path("algorithm").asText());
        }
        return level || BUCKETS.contains(sequence.algorithm());
    }

    /** A wait as stated. */
    static long acceptedWait(long micros) {
        if (micros < 0) {
            throw new Unsupported("maxWait " + micros);
        }
        return micros;
    }

    private void add(String algorithm, JsonNode params, String name) {
        switch (algorithm) {
            case "token_bucket", "gcra", "leaky_bucket_meter", "token_bucket_reservations" -> bucket(params, name);
            case "token_bucket_interval" -> interval(params, name);
            case "leaky_bucket_queue" -> queue(params, name);
            case "fixed_window" -> fixedWindow(params, name);
            case "penalty_lock" -> penaltyLock(params, name);
            case "sliding_window_log" -> log(params, name);
            case "sliding_window_counter" -> counter(params, name, 1, false, "initialPrevious", "initialCurrent");
            case "sliding_window_slots" ->
                counter(params, name, slots(params), true, "slots", "initialPrevious", "initialCurrent");
            case "multi_level" -> several(params, name);
            default -> throw new Unsupported("algorithm " + algorithm);
        }
    }

    private void bucket(JsonNode params, String name) {
        known(params, "capacity", "refillTokens", "refillPeriod", "initialTokens");
        LimitBuilder bucket = bucketAs == BucketAs.TOKEN_BUCKET
                ? Limit.named(name).algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.GREEDY)
                : Limit.named(name).algorithm(Algorithm.LEAKY_BUCKET).pace(false);
        long capacity = Json.number(params, "capacity");
        Limit limit = Rate.of(params).on(bucket.burst(capacity));
        levels.add(new Level(limit, Level.NO_QUEUE, 1, StartingState.ofBucket(params, capacity)));
    }

    private void interval(JsonNode params, String name) {
        known(params, "capacity", "refillTokens", "refillPeriod", "alignTo", "initialTokens");
        long period = Json.number(params, "refillPeriod");
        if (Json.number(params, "alignTo", 0) % period != 0) {
            throw new Unsupported("alignTo " + Json.number(params, "alignTo") + " with refillPeriod " + period);
        }
        long capacity = Json.number(params, "capacity");
        Limit limit = Limit.named(name)
                .algorithm(Algorithm.TOKEN_BUCKET)
                .refill(Refill.INTERVAL)
                .burst(capacity)
                .permits(Json.number(params, "refillTokens"))
                .period(micros(period))
                .build();
        levels.add(new Level(limit, Level.NO_QUEUE, period, StartingState.ofBucket(params, capacity)));
    }

    private void queue(JsonNode params, String name) {
        known(params, "refillTokens", "refillPeriod", "maxWait", "capacity");
        long maxWait = Json.has(params, "maxWait") ? acceptedWait(Json.number(params, "maxWait")) : ANY_WAIT;
        LimitBuilder bucket =
                Limit.named(name).algorithm(Algorithm.LEAKY_BUCKET).pace(true);
        Limit limit = Json.has(params, "capacity")
                ? Rate.of(params).on(bucket.burst(Json.number(params, "capacity")))
                : Rate.of(params).withLargestBurst(bucket);
        levels.add(new Level(limit, maxWait, 1, StartingState.UNUSED));
    }

    private void fixedWindow(JsonNode params, String name) {
        known(params, "limit", "window", "anchor", "initialPrevious", "initialCurrent");
        Anchor anchor = switch (params.path("anchor").asText("epoch")) {
            case "epoch" -> Anchor.CLOCK;
            case "first" -> Anchor.FIRST_CALL;
            default -> throw new Unsupported("anchor " + params.get("anchor"));
        };
        LimitBuilder builder =
                window(params, name).algorithm(Algorithm.FIXED_WINDOW).anchor(anchor);
        window(params, builder.build());
    }

    private void penaltyLock(JsonNode params, String name) {
        known(params, "limit", "window", "lock", "initialCurrent");
        LimitBuilder builder = window(params, name)
                .algorithm(Algorithm.FIXED_WINDOW)
                .anchor(Anchor.FIRST_CALL)
                .penalty(micros(Json.number(params, "lock")));
        window(params, builder.build());
    }

    private void log(JsonNode params, String name) {
        known(params, "limit", "window", "initialCurrent");
        LimitBuilder builder =
                window(params, name).algorithm(Algorithm.SLIDING_WINDOW_LOG).largeLog(true);
        window(params, builder.build());
    }

    private void counter(JsonNode params, String name, int slots, boolean strict, String... more) {
        List<String> allowed = new ArrayList<>(List.of("limit", "window"));
        allowed.addAll(List.of(more));
        known(params, allowed.toArray(String[]::new));
        LimitBuilder builder = window(params, name)
                .algorithm(Algorithm.SLIDING_WINDOW_COUNTER)
                .slots(slots)
                .strict(strict);
        window(params, builder.build());
    }

    private void several(JsonNode params, String name) {
        known(params, "levels");
        for (JsonNode level : Json.required(params, "levels")) {
            Json.checkFields("level field", level, Set.of("algorithm", "params", "name", "id"));
            if (level.path("algorithm").asText().equals("multi_level")) {
                throw new Unsupported("levels within levels");
            }
            add(Json.text(level, "algorithm"), Json.required(level, "params"), name + "." + levels.size());
        }
    }

    private static int slots(JsonNode params) {
        return (int) Math.min(Json.number(params, "slots"), Integer.MAX_VALUE);
    }

    private static LimitBuilder window(JsonNode params, String name) {
        return Limit.named(name).permits(Json.number(params, "limit")).period(micros(Json.number(params, "window")));
    }

    private void window(JsonNode params, Limit limit) {
        levels.add(new Level(limit, Level.NO_QUEUE, limit.periodMicros(), StartingState.ofWindow(params)));
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
    }

    private static void known(JsonNode params, String... names) {
        Json.checkFields("parameter", params, Set.of(names));
    }
}
