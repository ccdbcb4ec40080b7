/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce's own asynchronous commands, on one connection of our own that the application's Lettuce client opens: same
 * address, credentials, TLS and database, and none of the application's traffic on it. The connection is opened on
 * first use, beside the caller's thread; Lettuce restores it when it breaks.
 */
public final class LettuceTransport implements RedisTransport {

    private final AbstractRedisClient client;
    private final Executor connector;
    private final CompletableFuture<LettuceLink> closed = CompletableFuture.failedFuture(
            RedisFailures.asStoreFailure(new IllegalStateException("The store is closed")));
    private final AtomicReference<@Nullable CompletableFuture<LettuceLink>> link = new AtomicReference<>();

    /** A transport over this client, which must know its address: a {@code RedisClient} or a cluster client. */
    public LettuceTransport(AbstractRedisClient client, Executor connector) {
        this.client = client;
        this.connector = connector;
    }

    @Override
    public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
        return onLink(open -> open.run(script, keys, arguments));
    }

    @Override
    public CompletionStage<Void> prepare() {
        return link().thenAccept(open -> {});
    }

    @Override
    public CompletionStage<Void> delete(byte[] key) {
        return onLink(open -> open.delete(key)).thenAccept(deleted -> {});
    }

    /** Lettuce throws where it refuses a command at once; that is an answer like any other. */
    private <T> CompletionStage<T> onLink(Function<LettuceLink, CompletionStage<T>> command) {
        try {
            CompletableFuture<LettuceLink> present = link();
            return present.isDone() ? command.apply(present.join()) : present.thenCompose(command);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(RedisFailures.asStoreFailure(e));
        }
    }

    @Override
    public boolean isClustered() {
        return client instanceof RedisClusterClient;
    }

    /** The connection, or the attempt to open it; one that failed is made again. */
    private CompletableFuture<LettuceLink> link() {
        CompletableFuture<LettuceLink> present = link.get();
        if (present != null && (present == closed || !present.isCompletedExceptionally())) {
            return present;
        }
        CompletableFuture<LettuceLink> fresh = new CompletableFuture<>();
        if (!link.compareAndSet(present, fresh)) {
            return link();
        }
        try {
            var unused = CompletableFuture.supplyAsync(this::open, connector)
                    .whenComplete((open, failure) -> settle(fresh, open, failure));
        } catch (RejectedExecutionException e) {
            settle(fresh, null, e);
        }
        return fresh;
    }

    private static void settle(
            CompletableFuture<LettuceLink> fresh, @Nullable LettuceLink open, @Nullable Throwable failure) {
        if (open != null) {
            fresh.complete(open);
        } else if (failure != null) {
            fresh.completeExceptionally(RedisFailures.asStoreFailure(failure));
        }
    }

    private LettuceLink open() {
        if (client instanceof RedisClusterClient cluster) {
            StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
            return new LettuceLink(connection, connection.async());
        }
        var connection = ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
        return new LettuceLink(connection, connection.async());
    }

    /** A connection still being opened is closed once it is there. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public void close() {
        CompletableFuture<LettuceLink> present = link.getAndSet(closed);
        if (present != null) {
            present.thenAccept(open -> open.close());
        }
    }
}
