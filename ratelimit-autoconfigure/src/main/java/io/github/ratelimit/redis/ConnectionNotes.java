/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.tuning.SharedNotes;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Notes over any connection factory, Jedis among them. It tells others of changes and does not listen itself: a
 * subscription would take one of the application's pooled connections for good.
 */
final class ConnectionNotes implements SharedNotes {

    private final RedisConnectionFactory connections;
    private final byte[] key;

    ConnectionNotes(RedisConnectionFactory connections, byte[] key) {
        this.connections = connections;
        this.key = key;
    }

    @Override
    public Map<String, String> read() {
        return call(connection -> {
            Long fields = connection.hashCommands().hLen(key);
            Map<byte[], byte[]> hash = fields != null && RedisNotes.isWorthReading(fields)
                    ? connection.hashCommands().hGetAll(key)
                    : Map.of();
            return RedisNotes.texts(hash == null ? Map.of() : hash);
        });
    }

    @Override
    public void write(String name, String text) {
        var unused = call(connection -> {
            connection.hashCommands().hSet(key, RedisNotes.bytes(name), RedisNotes.bytes(text));
            return connection.publish(key, RedisNotes.bytes(name));
        });
    }

    @Override
    public void remove(Set<String> names) {
        var unused = call(connection -> {
            connection
                    .hashCommands()
                    .hDel(key, names.stream().map(RedisNotes::bytes).toArray(byte[][]::new));
            return connection.publish(key, new byte[0]);
        });
    }

    @Override
    public void onChange(Runnable heard) {
        // changes are found by looking
    }

    @Override
    public void close() {
        // each call returns its connection
    }

    private <T> T call(Function<RedisConnection, T> command) {
        try (RedisConnection connection = connections.getConnection()) {
            return command.apply(connection);
        } catch (IllegalStateException foreign) {
            throw foreign;
        } catch (RuntimeException failure) {
            throw RedisNotes.failure(failure);
        }
    }
}
