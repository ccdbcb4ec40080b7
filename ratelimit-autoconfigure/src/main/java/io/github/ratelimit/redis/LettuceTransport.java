/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Lettuce's own asynchronous commands.
 *
 * <p>Whoever wants one call to be decided before another waits for the answer of the first.
 */
public final class LettuceTransport implements RedisTransport {

    private final OwnLettuceClient client;
    private final LettuceWay way;

    /** A transport that opens its connection by the connector; a call waits for it as long as the patience lasts. */
    LettuceTransport(OwnLettuceClient client, Executor connector, Duration patience) {
        this.client = client;
        this.way = new LettuceWay(client, connector, patience);
    }

    @Override
    public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
        return way.send(open -> open.run(script, keys, arguments));
    }

    @Override
    public CompletionStage<Void> prepare() {
        return way.prepare();
    }

    @Override
    public CompletionStage<Void> delete(byte[] key) {
        return way.send(open -> open.delete(key)).thenAccept(deleted -> {});
    }

    @Override
    public boolean isWhereAnswersArrive() {
        EventLoop loop = way.loop();
        return loop != null && loop.inEventLoop();
    }

    @Override
    public boolean runWhereAnswersArrive(Runnable task) {
        EventLoop loop = way.loop();
        if (loop == null) {
            return false;
        }
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
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
        way.renew();
    }

    @Override
    public void disconnect() {
        way.forget();
        client.disconnect();
    }

    @Override
    public void close() {
        client.close();
    }
}
