/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The plain path: any connection factory, Jedis among them. Its calls block for as long as the client's own time-outs say,
 * so they have threads of their own ({@link BlockingCalls}), those to each node of a cluster apart, and the caller may stop
 * waiting at any time. A call whose turn comes when nobody waits for its answer any more is not sent.
 */
public final class ConnectionTransport implements RedisTransport {

    /** So often Redis is looked for anew, whether or not the last look is over: a client may hold on to a dead node for long. */
    static final long LOOK_PAUSE_NANOS = 1_000_000_000;

    private static final Logger log = LoggerFactory.getLogger(ConnectionTransport.class);

    private final RedisConnectionFactory connections;
    private final BlockingCalls calls = new BlockingCalls();
    private final BlockingCalls looks = new BlockingCalls();
    private final Semaphore free = new Semaphore(BlockingCalls.THREADS);
    private final AtomicLong looked = new AtomicLong(System.nanoTime() - LOOK_PAUSE_NANOS);
    private final long patienceNanos;
    private final Sending sending;
    private volatile @Nullable Boolean clustered;

    /** A transport over the application's own connections; a call waits for its turn as long as the patience lasts. */
    public ConnectionTransport(RedisConnectionFactory connections, Duration patience) {
        this(connections, patience, null, Sending.PLAIN);
    }

    /** A transport over connections of which may be known whether they lead to a cluster. */
    ConnectionTransport(
            RedisConnectionFactory connections, Duration patience, @Nullable Boolean clustered, Sending sending) {
        this.connections = connections;
        this.patienceNanos = patience.toNanos();
        this.clustered = clustered;
        this.sending = sending;
    }

    @Override
    public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
        byte[][] keysAndArguments = new byte[keys.length + arguments.length][];
        System.arraycopy(keys, 0, keysAndArguments, 0, keys.length);
        System.arraycopy(arguments, 0, keysAndArguments, keys.length, arguments.length);
        return call(
                sending.node(keys[0]), connection -> sending.run(connection, script, keys.length, keysAndArguments));
    }

    @Override
    public CompletionStage<Void> prepare() {
        return call(Sending.ANY_NODE, connection -> null);
    }

    @Override
    public CompletionStage<Void> delete(byte[] key) {
        return call(sending.node(key), connection -> {
            connection.keyCommands().del(key);
            return null;
        });
    }

    @Override
    public boolean isBlocking() {
        return true;
    }

    /** Where the factory does not tell, a connection does. Until there was one, calls go slot by slot, which is right in either case. */
    @Override
    public boolean isClustered() {
        return !Boolean.FALSE.equals(clustered);
    }

    @Override
    public void renew() {
        long now = System.nanoTime();
        long last = looked.get();
        if (sending.isLost()
                && now - last >= LOOK_PAUSE_NANOS
                && looked.compareAndSet(last, now)
                && free.tryAcquire()) {
            try {
                looks.execute(Sending.ANY_NODE, this::look);
            } catch (RuntimeException | Error refused) {
                free.release();
            }
        }
    }

    private void look() {
        try (RedisConnection connection = connections.getConnection()) {
            sending.renew(connection);
        } catch (RuntimeException stillAway) {
            log.debug("Redis could not be reached anew", stillAway);
        } finally {
            free.release();
        }
    }

    @Override
    public void close() {
        calls.close();
        looks.close();
    }

    private <T> CompletionStage<T> call(Object node, Function<RedisConnection, T> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long asked = System.nanoTime();
        try {
            calls.execute(node, () -> {
                if (System.nanoTime() - asked > patienceNanos) {
                    answer.completeExceptionally(RedisFailures.notSent());
                } else {
                    answer(answer, command);
                }
            });
        } catch (RuntimeException | Error notTaken) { // closed, or there is no thread left
            answer.completeExceptionally(RedisFailures.asStoreFailure(notTaken));
        }
        return answer;
    }

    private <T> void answer(CompletableFuture<T> answer, Function<RedisConnection, T> command) {
        try (RedisConnection connection = connections.getConnection()) {
            clustered = connection instanceof RedisClusterConnection;
            answer.complete(command.apply(connection));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(RedisFailures.asStoreFailure(e));
        }
    }
}
