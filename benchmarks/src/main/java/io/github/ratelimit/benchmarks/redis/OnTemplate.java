/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import reactor.core.publisher.Mono;

/** What is written with Spring's templates: the gateway's limiter, and what blogs show. */
final class OnTemplate implements Contender {

    static final String INCREMENT = "INCR and EXPIRE";
    static final String SORTED_SET = "sorted set in four trips";
    static final String GATEWAY = "Spring Cloud Gateway";

    private final String name;
    private final LettuceConnectionFactory connections;
    private final Predicate<String> decision;
    private final @Nullable Function<String, CompletionStage<?>> async;

    private OnTemplate(String name, LettuceConnectionFactory connections, Predicate<String> decision) {
        this(name, connections, decision, null);
    }

    private OnTemplate(
            String name,
            LettuceConnectionFactory connections,
            Predicate<String> decision,
            @Nullable Function<String, CompletionStage<?>> async) {
        this.name = name;
        this.connections = connections;
        this.decision = decision;
        this.async = async;
    }

    private static LettuceConnectionFactory connect(RedisServer redis) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    /** The script out of Spring Cloud Gateway's jar, called as the gateway calls it. It knows whole permits a second only. */
    @SuppressWarnings("rawtypes") // as there
    static OnTemplate gateway(RedisServer redis, Scenario scenario) {
        LettuceConnectionFactory connections = connect(redis);
        ReactiveStringRedisTemplate template = new ReactiveStringRedisTemplate(connections);
        RedisScript<List> script = RedisScript.of(read("/META-INF/scripts/request_rate_limiter.lua"), List.class);
        String rate = scenario.isAllowed() ? String.valueOf(Scenario.ALLOWING_PERMITS) : "1";
        List<String> arguments = List.of(rate, rate, "", scenario.isAllowed() ? "1" : "2");
        Function<String, Mono<Boolean>> limiter = key -> {
            List<String> keys = List.of(
                    "request_rate_limiter.{" + key + "}.tokens", "request_rate_limiter.{" + key + "}.timestamp");
            return template.execute(script, keys, arguments)
                    .next()
                    .map(reply -> ((List<?>) reply).get(0).equals(1L));
        };
        return new OnTemplate(
                GATEWAY,
                connections,
                key -> Objects.requireNonNull(limiter.apply(key).block()),
                key -> limiter.apply(key).toFuture());
    }

    /** A counter that expires. */
    static OnTemplate increment(RedisServer redis, Scenario scenario) {
        LettuceConnectionFactory connections = connect(redis);
        StringRedisTemplate template = new StringRedisTemplate(connections);
        long permits = scenario.isAllowed() ? Long.MAX_VALUE : 1;
        Duration period = scenario.isAllowed() ? Duration.ofSeconds(1) : Duration.ofDays(Scenario.DENYING_DAYS);
        return new OnTemplate(INCREMENT, connections, key -> {
            long count = Objects.requireNonNull(template.opsForValue().increment(key));
            if (count == 1) {
                template.expire(key, period);
            }
            return count <= permits;
        });
    }

    /** A log in a sorted set, call by call. */
    static OnTemplate sortedSet(RedisServer redis, Scenario scenario) {
        LettuceConnectionFactory connections = connect(redis);
        StringRedisTemplate template = new StringRedisTemplate(connections);
        long permits = scenario.isAllowed() ? Long.MAX_VALUE : 1;
        // Not a second: its log would grow with the speed of the machine.
        Duration period = scenario.isAllowed() ? Duration.ofMillis(100) : Duration.ofDays(Scenario.DENYING_DAYS);
        return new OnTemplate(SORTED_SET, connections, key -> {
            long now = System.currentTimeMillis();
            template.opsForZSet().removeRangeByScore(key, 0, (double) (now - period.toMillis()));
            long count = Objects.requireNonNull(template.opsForZSet().zCard(key));
            if (count >= permits) {
                return false;
            }
            template.opsForZSet().add(key, UUID.randomUUID().toString(), (double) now);
            template.expire(key, period);
            return true;
        });
    }

    private static String read(String resource) {
        try (InputStream in = OnTemplate.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean decide(String key) {
        return decision.test(key);
    }

    @Override
    public boolean isAsync() {
        return async != null;
    }

    @Override
    public @Nullable CompletionStage<?> decideAsync(String key) {
        return async == null ? null : async.apply(key);
    }

    @Override
    public void close() {
        connections.destroy();
    }
}
