/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** One trip that decides nothing: faster is no call that makes one. On Lettuce's asynchronous commands. */
final class Floor implements Contender {

    static final String PING = "PING";
    static final String SCRIPT = "EVALSHA return 1";

    private final String name;
    private final RedisClient client;
    private final RedisAsyncCommands<String, String> commands;
    private final Function<String, RedisFuture<?>> trip;

    private Floor(
            String name,
            RedisServer redis,
            Function<RedisAsyncCommands<String, String>, Function<String, RedisFuture<?>>> trip) {
        this.name = name;
        this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
        this.commands = client.connect().async();
        this.trip = trip.apply(commands);
    }

    static Floor script(RedisServer redis) {
        return new Floor(SCRIPT, redis, commands -> {
            String sha = await(commands.scriptLoad("return 1"));
            return key -> commands.evalsha(sha, ScriptOutputType.INTEGER, key);
        });
    }

    static Floor ping(RedisServer redis) {
        return new Floor(PING, redis, commands -> key -> commands.ping());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean decide(String key) {
        return await(trip.apply(key)) != null;
    }

    @Override
    public boolean isAsync() {
        return true;
    }

    @Override
    public CompletionStage<?> decideAsync(String key) {
        return trip.apply(key);
    }

    private static <T> T await(RedisFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
