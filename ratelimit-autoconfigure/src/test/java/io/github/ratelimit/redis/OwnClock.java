/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.StoreUnderTest;
import io.github.ratelimit.testredis.RedisServer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The Redis store as it is: on Redis's own clock, with keys that expire. */
public final class OwnClock implements StoreUnderTest {

    private final Client client;
    private final RedisRateLimitStore store;

    /** Over a client of its own. */
    public OwnClock(RedisServer server, Client.Kind kind) {
        this.client = Client.of(server, kind);
        this.store = client.store();
    }

    @Override
    public String name() {
        return "Redis on its own clock";
    }

    @Override
    public RateLimitStore store() {
        return store;
    }

    @Override
    public CompletionStage<List<Decision>> inTurn(List<Charge> calls) {
        return store.acquireInTurn(calls);
    }

    @Override
    public boolean sharesTrips(Charge charge) {
        return store.sharesTrips(charge);
    }

    @Override
    public void setClock(long micros) {
        throw new UnsupportedOperationException("nobody sets Redis's clock");
    }

    @Override
    public void close() {
        store.close();
        client.close();
    }
}
