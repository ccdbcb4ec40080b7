/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lettuce's own asynchronous commands, over two ways side by side, taken by turns.
 *
 * <p>On one connection both sides take turns: answers come back in a bunch, whose callers call again together; while they are
 * told Redis has nothing to do, and while Redis decides the application has not. Over two, one bunch is decided while the callers of
 * the other are told, each by an event loop of its own.
 *
 * <p>Calls that are under way at the same time may overtake one another. Whoever wants one to be decided before another waits
 * for the answer of the first.
 */
public final class LettuceTransport implements RedisTransport {

    private final OwnLettuceClient client;
    private final LettuceWay one;
    private final LettuceWay other;
    private final AtomicInteger turn = new AtomicInteger();

    /** A transport that opens its connections by the connector; a call waits for one as long as the patience lasts. */
    LettuceTransport(OwnLettuceClient client, Executor connector, Duration patience) {
        this.client = client;
        this.one = new LettuceWay(client, connector, patience);
        this.other = new LettuceWay(client, connector, patience);
    }

    @Override
    public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
        return next().send(open -> open.run(script, keys, arguments));
    }

    @Override
    public CompletionStage<Void> prepare() {
        return one.prepare().thenCombine(other.prepare(), (opened, too) -> null);
    }

    @Override
    public CompletionStage<Void> delete(byte[] key) {
        return next().send(open -> open.delete(key)).thenAccept(deleted -> {});
    }

    private LettuceWay next() {
        return (turn.getAndIncrement() & 1) == 0 ? one : other;
    }

    @Override
    public boolean readsLoneIntegers() {
        return true;
    }

    @Override
    public boolean isClustered() {
        return client.isClustered();
    }

    @Override
    public void renew() {
        one.renew();
        other.renew();
    }

    @Override
    public void disconnect() {
        one.forget();
        other.forget();
        client.disconnect();
    }

    @Override
    public void close() {
        client.close();
    }
}
