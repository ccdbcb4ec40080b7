/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** The Redis store on a virtual clock, over one of the clients. */
public final class RedisUnderTest implements StoreUnderTest {

    static final String PREFIX = "test";

    private final String name;
    private final Client client;
    private final VirtualTime time;
    private final RedisRateLimitStore store;

    private RedisUnderTest(String name, Client client, VirtualTime time, UnaryOperator<String> change) {
        this.name = name;
        this.client = client;
        this.time = time;
        Scripts scripts = new Scripts(script -> time.inScripts().apply(change.apply(script)));
        this.store = new RedisRateLimitStore(client.transport(), PREFIX, scripts);
    }

    /** On one server. */
    public static RedisUnderTest on(RedisServer server, Client.Kind kind) {
        return on(server, kind, UnaryOperator.identity());
    }

    /** On one server, with scripts that are changed. */
    static RedisUnderTest on(RedisServer server, Client.Kind kind, UnaryOperator<String> change) {
        return new RedisUnderTest("Redis, " + kind, Client.of(server, kind), new VirtualTime(server), change);
    }

    /** On a cluster. */
    public static RedisUnderTest on(RedisCluster cluster, Client.Kind kind) {
        return new RedisUnderTest(
                "Redis Cluster, " + kind, Client.of(cluster, kind), new VirtualTime(cluster), UnaryOperator.identity());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RateLimitStore store() {
        return store;
    }

    @Override
    public void setClock(long micros) {
        time.set(micros);
    }

    @Override
    public CompletionStage<List<Decision>> inTurn(List<Charge> calls) {
        return CompletableFuture.completedFuture(Trips.decide(store, calls));
    }

    @Override
    public boolean sharesTrips(Charge charge) {
        return store.sharesTrips(charge);
    }

    VirtualTime time() {
        return time;
    }

    @Override
    public void close() {
        store.close();
        client.close();
        time.close();
    }
}
