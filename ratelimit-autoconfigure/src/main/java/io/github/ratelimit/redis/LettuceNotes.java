/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes on two connections of their own: one to read and write, one that listens. Whatever goes wrong on them closes both;
 * the next call opens them anew, listening first. So they are back as soon as Redis is, however long Lettuce itself would
 * pause before it tries again.
 */
final class LettuceNotes implements SharedNotes {

    private static final Logger log = LoggerFactory.getLogger(LettuceNotes.class);
    private static final long PATIENCE_MILLIS = 1_000;

    private final ReentrantLock using = new ReentrantLock();
    private final Supplier<AbstractRedisClient> clients;
    private final byte[] key;
    private volatile Runnable heard = () -> {};
    private @Nullable Line line;
    private volatile boolean closed;

    /** Both connections. */
    private record Line(
            StatefulConnection<byte[], byte[]> connection,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> listening) {

        void close() {
            listening.close();
            connection.close();
        }
    }

    /** The client is asked for anew with every connection: an application that is stopped and started has another. */
    LettuceNotes(Supplier<AbstractRedisClient> clients, byte[] key) {
        this.clients = clients;
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

    /** Whoever is just opening connections, and does not come to an end, leaves them to their client. */
    @Override
    public void close() {
        closed = true;
        try {
            if (using.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                try {
                    drop();
                } finally {
                    using.unlock();
                }
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
        }
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
        if (present != null) {
            return present;
        }
        if (closed) {
            throw new IllegalStateException("closed");
        }
        AbstractRedisClient client = clients.get();
        StatefulRedisPubSubConnection<byte[], byte[]> listening = listen(client);
        try {
            Line fresh;
            if (client instanceof RedisClusterClient cluster) {
                var connection = cluster.connect(ByteArrayCodec.INSTANCE);
                fresh = new Line(connection, connection.async(), listening);
            } else {
                var connection = ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
                fresh = new Line(connection, connection.async(), listening);
            }
            line = fresh;
            return fresh;
        } catch (RuntimeException failure) {
            listening.close();
            throw failure;
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
