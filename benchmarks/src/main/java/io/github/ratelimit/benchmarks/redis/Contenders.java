/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.util.Arrays;
import java.util.function.BiFunction;

/** Everybody who is measured. */
@SuppressWarnings("ImmutableEnumChecker") // they are references to methods
enum Contenders {
    OURS(Ours.NAME, Ours::byDefault),
    OURS_BY_CODE(Ours.BY_CODE, Ours::byCode),
    OURS_TRIP_BY_TRIP(Ours.TRIP_BY_TRIP, Ours::tripByTrip),
    BUCKET4J_BATCHING(Bucket4j.BATCHING, Bucket4j::batching),
    BUCKET4J(Bucket4j.NAME, Bucket4j::byDefault),
    BUCKET4J_SKIPPING(Bucket4j.SKIPPING, Bucket4j::skipping),
    REDISSON(Redisson.NAME, Redisson::new),
    GATEWAY(OnTemplate.GATEWAY, OnTemplate::gateway),
    INCREMENT(OnTemplate.INCREMENT, OnTemplate::increment),
    SORTED_SET(OnTemplate.SORTED_SET, OnTemplate::sortedSet),
    SCRIPT(Floor.SCRIPT, (redis, scenario) -> Floor.script(redis)),
    PING(Floor.PING, (redis, scenario) -> Floor.ping(redis));

    private final String title;
    private final BiFunction<RedisServer, Scenario, Contender> make;

    Contenders(String title, BiFunction<RedisServer, Scenario, Contender> make) {
        this.title = title;
        this.make = make;
    }

    /** What the table calls it. */
    String title() {
        return title;
    }

    Contender on(RedisServer redis, Scenario scenario) {
        return make.apply(redis, scenario);
    }

    /** Where it stands in the table. */
    static int place(String title) {
        return Arrays.stream(values()).map(Contenders::title).toList().indexOf(title);
    }
}
