/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.tuning.SharedNotes;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Notes over any connection factory, Jedis among them. It tells others of changes and does not listen itself: a
 * subscription would take one of the application's pooled connections for good.
 */
final class ConnectionNotes implements SharedNotes {

    private static final Logger log = LoggerFactory.getLogger(ConnectionNotes.class);

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
            return tell(connection);
        });
    }

    @Override
    public void remove(Set<String> names) {
        var unused = call(connection -> {
            connection
                    .hashCommands()
                    .hDel(key, names.stream().map(RedisNotes::bytes).toArray(byte[][]::new));
            return tell(connection);
        });
    }

    /** A user who may not publish has written all the same; the others find it by looking. */
    private boolean tell(RedisConnection connection) {
        try {
            return connection.publish(key, new byte[0]) != null;
        } catch (RuntimeException refused) {
            log.debug("Others are not told of the change; they find it by looking", refused);
            return false;
        }
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
