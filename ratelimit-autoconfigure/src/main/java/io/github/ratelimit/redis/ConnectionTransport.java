/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * The plain path: any connection factory, Jedis among them. Its calls block, so they run on the caller's thread and the
 * stages it returns are complete.
 */
public final class ConnectionTransport implements RedisTransport {

    private final RedisConnectionFactory connections;
    private volatile @Nullable Boolean clustered;

    /** A transport over the application's own connections. */
    public ConnectionTransport(RedisConnectionFactory connections) {
        this.connections = connections;
    }

    @Override
    public CompletionStage<List<Long>> run(Script script, byte[][] keys, byte[][] arguments) {
        byte[][] keysAndArguments = new byte[keys.length + arguments.length][];
        System.arraycopy(keys, 0, keysAndArguments, 0, keys.length);
        System.arraycopy(arguments, 0, keysAndArguments, keys.length, arguments.length);
        return call(connection -> run(connection, script, keys.length, keysAndArguments));
    }

    private static List<Long> run(RedisConnection connection, Script script, int keys, byte[][] keysAndArguments) {
        try {
            byte[] sha = script.sha().getBytes(StandardCharsets.US_ASCII);
            return connection.scriptingCommands().evalSha(sha, ReturnType.MULTI, keys, keysAndArguments);
        } catch (RuntimeException e) {
            if (!RedisFailures.isNoScript(e)) {
                throw e;
            }
            return connection.scriptingCommands().eval(script.text(), ReturnType.MULTI, keys, keysAndArguments);
        }
    }

    @Override
    public CompletionStage<Void> delete(byte[] key) {
        return call(connection -> {
            connection.keyCommands().del(key);
            return null;
        });
    }

    private <T> CompletionStage<T> call(Function<RedisConnection, T> command) {
        try (RedisConnection connection = connections.getConnection()) {
            return CompletableFuture.completedFuture(command.apply(connection));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(RedisFailures.asStoreFailure(e));
        }
    }

    /** {@inheritDoc} While nobody can be reached that is not known, and no matter: the command itself fails. */
    @Override
    public boolean isClustered() {
        Boolean known = clustered;
        if (known != null) {
            return known;
        }
        try (RedisConnection connection = connections.getConnection()) {
            boolean found = connection instanceof RedisClusterConnection;
            clustered = found;
            return found;
        } catch (RuntimeException unreachable) {
            return false;
        }
    }
}
