/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open connection, and the scripts that are just being told to Redis on it.
 *
 * <p>A script is called by EVALSHA. When Redis does not know it (it was restarted, or flushed), every call in flight hears
 * so at once; the first of them sends the script along with its own EVAL, the others wait for that and call again,
 * instead of each sending the whole script. A call that waited in vain a few times (nodes of a cluster know scripts each
 * for itself) sends it too.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what follows a stage settles the answer
final class LettuceLink {

    private static final int MOST_WAITS = 3;
    private static final byte[] ONE_KEY = {'1'};

    /** After an answer the nodes of a cluster are taken to be connected for so long. */
    private static final long ANSWERING_NANOS = 5_000_000_000L;

    private final StatefulConnection<byte[], byte[]> connection;
    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final Supplier<@Nullable EventLoop> currentLoop;
    private final Map<Script, CompletableFuture<Void>> telling = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final boolean clustered;
    private volatile long answeredAt = System.nanoTime() - ANSWERING_NANOS;
    private volatile @Nullable EventLoop loop;

    /**
     * An open connection.
     *
     * @param currentLoop the event loop whose thread is the current one; {@code null} where it is none's, or one of several
     */
    LettuceLink(
            StatefulConnection<byte[], byte[]> connection,
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            Supplier<@Nullable EventLoop> currentLoop) {
        this.connection = connection;
        this.commands = commands;
        this.currentLoop = currentLoop;
        this.clustered = connection instanceof StatefulRedisClusterConnection;
    }

    /** The event loop that reads and writes it; {@code null} before the first answer, and where there are several. */
    @Nullable
    EventLoop loop() {
        return loop;
    }

    CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
        CompletableFuture<List<Long>> answer = new CompletableFuture<>();
        call(script, keys, arguments, answer, MOST_WAITS);
        return answer;
    }

    CompletionStage<Long> delete(byte[] key) {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        commands.del(key).whenComplete((deleted, failure) -> settle(answer, deleted, failure));
        return answer;
    }

    /**
     * Whether commands can be sent. Of a cluster it tells of one connection only, to any node, a replica perhaps, and no command
     * with a key goes over that.
     */
    boolean isOpen() {
        return connection.isOpen();
    }

    /** Whether it is one to a cluster that has answered lately: commands can be sent then, whether it is open or not. */
    boolean isAnswering() {
        return clustered && !closed.get() && System.nanoTime() - answeredAt < ANSWERING_NANOS;
    }

    /** Also where it broke: its client would keep it. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            connection.close();
        }
    }

    private void call(
            Script script, byte[][] keys, byte[][] arguments, CompletableFuture<List<Long>> answer, int waitsLeft) {
        try {
            send(CommandType.EVALSHA, script.sha(), keys, arguments).whenComplete((reply, failure) -> {
                if (loop == null) {
                    loop = currentLoop.get();
                }
                if (RedisFailures.isNoScript(failure)) {
                    tellOrWait(script, keys, arguments, answer, waitsLeft);
                } else {
                    settle(answer, reply, failure);
                }
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(RedisFailures.asStoreFailure(e));
        }
    }

    /** Nothing is left to be encoded: everything was, once, when limit and script were made. */
    private CompletionStage<List<Long>> send(CommandType type, byte[] script, byte[][] keys, byte[][] arguments) {
        CommandArgs<byte[], byte[]> all = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(script);
        if (keys.length == 1) {
            all.add(ONE_KEY).addKey(keys[0]);
        } else {
            all.add(keys.length).addKeys(keys);
        }
        for (byte[] argument : arguments) {
            all.add(argument);
        }
        return commands.dispatch(type, new IntegersOutput(), all);
    }

    private void tellOrWait(
            Script script, byte[][] keys, byte[][] arguments, CompletableFuture<List<Long>> answer, int waitsLeft) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> first = telling.putIfAbsent(script, mine);
        if (first != null && waitsLeft > 0) {
            first.thenRun(() -> call(script, keys, arguments, answer, waitsLeft - 1));
            return;
        }
        tell(script, keys, arguments, answer);
        if (first == null) {
            answer.whenComplete((reply, failure) -> {
                telling.remove(script, mine);
                mine.complete(null);
            });
        }
    }

    private void tell(Script script, byte[][] keys, byte[][] arguments, CompletableFuture<List<Long>> answer) {
        try {
            send(CommandType.EVAL, script.text(), keys, arguments)
                    .whenComplete((reply, failure) -> settle(answer, reply, failure));
        } catch (RuntimeException e) {
            answer.completeExceptionally(RedisFailures.asStoreFailure(e));
        }
    }

    private <T> void settle(CompletableFuture<T> answer, T reply, @Nullable Throwable failure) {
        if (failure == null) {
            if (clustered) {
                answeredAt = System.nanoTime();
            }
            answer.complete(reply);
        } else {
            answer.completeExceptionally(RedisFailures.asStoreFailure(failure));
        }
    }
}
