/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.tuning.SharedNotes;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes on two connections of their own: one to read and write, one that listens. Whatever goes wrong on them closes both;
 * the next call opens them anew, listening first. So they are back as soon as Redis is, however long Lettuce itself would
 * pause before it tries again; and an application may close while they are opened, see {@link Openings}.
 */
final class LettuceNotes implements SharedNotes {

    private static final Logger log = LoggerFactory.getLogger(LettuceNotes.class);
    private static final long PATIENCE_MILLIS = 1_000;

    private final ReentrantLock using = new ReentrantLock();
    private final OwnLettuceClient client;
    private final byte[] key;
    private volatile Runnable heard = () -> {};
    private volatile @Nullable Line line;
    private volatile boolean closed;

    /** Both connections; whoever comes first closes them. */
    private record Line(
            StatefulConnection<byte[], byte[]> connection,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> listening,
            AtomicBoolean closed) {

        void close() {
            if (closed.compareAndSet(false, true)) {
                listening.close();
                connection.close();
            }
        }
    }

    /** On connections of this client, which is closed with them. */
    LettuceNotes(OwnLettuceClient client, byte[] key) {
        this.client = client;
        this.key = key;
    }

    @Override
    public void onChange(Runnable listener) {
        using.lock();
        try {
            heard = listener;
            closed = false;
        } finally {
            using.unlock();
        }
    }

    @Override
    public Map<String, String> read() {
        return call(commands -> RedisNotes.isWorthReading(await(commands.hlen(key)))
                ? RedisNotes.texts(await(commands.hgetall(key)))
                : Map.of());
    }

    @Override
    public void write(String name, String text) {
        var unused = call(commands -> {
            await(commands.hset(key, RedisNotes.bytes(name), RedisNotes.bytes(text)));
            return tell(commands);
        });
    }

    @Override
    public void remove(Set<String> names) {
        var unused = call(commands -> {
            await(commands.hdel(key, names.stream().map(RedisNotes::bytes).toArray(byte[][]::new)));
            return tell(commands);
        });
    }

    /** A user who may not publish has written all the same; the others find it by looking. */
    private boolean tell(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        try {
            return await(commands.publish(key, new byte[0])) > 0;
        } catch (IllegalStateException refused) {
            log.debug("Others are not told of the change; they find it by looking", refused);
            return false;
        }
    }

    /** Whoever is just opening connections, or waits for an answer, hears at once that there will be none. */
    @Override
    public void close() {
        closed = true;
        end();
    }

    private void end() {
        drop();
        client.disconnect();
    }

    private <T> T call(Function<RedisClusterAsyncCommands<byte[], byte[]>, T> command) {
        using.lock();
        try {
            return command.apply(open().commands);
        } catch (IllegalStateException foreign) {
            throw foreign;
        } catch (RuntimeException failure) {
            drop();
            throw RedisNotes.failure(failure);
        } finally {
            using.unlock();
        }
    }

    private Line open() {
        Line present = line;
        if (present != null && present.listening.isOpen()) {
            return present;
        }
        drop();
        if (closed) {
            throw new RateLimitStoreException("closed", new CancellationException());
        }
        Line fresh = client.with(this::connect);
        line = fresh;
        if (closed) {
            end();
        }
        return fresh;
    }

    private Line connect(AbstractRedisClient client) {
        StatefulRedisPubSubConnection<byte[], byte[]> listening = listen(client);
        try {
            if (client instanceof RedisClusterClient cluster) {
                var connection = cluster.connect(ByteArrayCodec.INSTANCE);
                reach(connection.async());
                return new Line(connection, connection.async(), listening, new AtomicBoolean());
            }
            var connection = ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
            return new Line(connection, connection.async(), listening, new AtomicBoolean());
        } catch (RuntimeException failure) {
            listening.close();
            throw failure;
        }
    }

    /** The first command connects the key's node: that belongs to the opening, beside which nobody shuts the client down. */
    private void reach(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        try {
            await(commands.hlen(key));
        } catch (RuntimeException unreached) {
            log.debug("The node of the overrides was not reached; who reads them is told", unreached);
        }
    }

    private StatefulRedisPubSubConnection<byte[], byte[]> listen(AbstractRedisClient client) {
        StatefulRedisPubSubConnection<byte[], byte[]> listening = client instanceof RedisClusterClient cluster
                ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
                : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
        listening.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] channel, byte[] message) {
                heard.run();
            }
        });
        try {
            await(listening.async().subscribe(key));
        } catch (RuntimeException refused) {
            log.debug("Changes are not heard of; they are found by looking", refused);
        }
        return listening;
    }

    private void drop() {
        Line present = line;
        line = null;
        if (present != null) {
            present.close();
        }
    }

    /** What Redis refuses is told as it is; a connection that does not answer is a failure. */
    private static <T> T await(Future<T> answer) {
        try {
            return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            answer.cancel(true);
            throw RedisNotes.failure(failure);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw RedisNotes.failure(interruption);
        }
    }
}
