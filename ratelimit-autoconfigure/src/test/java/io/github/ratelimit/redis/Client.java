/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A Redis client of its own, as an application would have it. */
public final class Client implements AutoCloseable {

    /** Which client. */
    public enum Kind {
        LETTUCE,
        JEDIS
    }

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RedisConnectionFactory connections;
    private final Runnable end;
    private Duration patience = PATIENCE;

    private Client(RedisConnectionFactory connections, Runnable end) {
        this.connections = connections;
        this.end = end;
    }

    static Client of(RedisServer server, Kind kind) {
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(server.host(), server.port());
        return kind == Kind.LETTUCE
                ? started(new LettuceConnectionFactory(address))
                : started(new JedisConnectionFactory(address));
    }

    /** As a user of the server. */
    static Client of(RedisServer server, Kind kind, String user, String password) {
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(server.host(), server.port());
        address.setUsername(user);
        address.setPassword(password);
        return kind == Kind.LETTUCE
                ? started(new LettuceConnectionFactory(address))
                : started(new JedisConnectionFactory(address));
    }

    /** To a port of the loopback interface. */
    public static Client at(int port, Kind kind) {
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration("127.0.0.1", port);
        return kind == Kind.LETTUCE
                ? started(new LettuceConnectionFactory(address))
                : started(new JedisConnectionFactory(address));
    }

    /** Its connections. */
    public RedisConnectionFactory connections() {
        return connections;
    }

    /** Lettuce, to a port of the loopback interface, for callers of this patience. */
    static Client at(int port, Duration patience) {
        Client client = started(new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port)));
        client.patience = patience;
        return client;
    }

    /** The same with Lettuce's resources, as Spring Boot has them. */
    static Client at(int port, Duration patience, ClientResources resources) {
        Client client = started(new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder().clientResources(resources).build()));
        client.patience = patience;
        return client;
    }

    /** To the master that Sentinel names. */
    public static Client of(RedisSentinelConfiguration address, Kind kind) {
        return kind == Kind.LETTUCE
                ? started(new LettuceConnectionFactory(address))
                : started(new JedisConnectionFactory(address));
    }

    /** To a cluster. */
    public static Client of(RedisCluster cluster, Kind kind) {
        RedisClusterConfiguration addresses =
                new RedisClusterConfiguration(List.of(cluster.addresses().split(",", -1)));
        return kind == Kind.LETTUCE
                ? started(new LettuceConnectionFactory(addresses))
                : started(new JedisConnectionFactory(addresses));
    }

    private static Client started(LettuceConnectionFactory connections) {
        connections.afterPropertiesSet();
        connections.start();
        return new Client(connections, connections::destroy);
    }

    private static Client started(JedisConnectionFactory connections) {
        connections.afterPropertiesSet();
        connections.start();
        return new Client(connections, connections::destroy);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "connector");
        thread.setDaemon(true);
        thread.start();
    }

    /** A new transport over this client. */
    RedisTransport transport() {
        return RedisTransports.over(connections, Client::start, patience);
    }

    /** A new store over this client, on Redis's own clock. */
    RedisRateLimitStore store() {
        return new RedisRateLimitStore(transport(), RedisUnderTest.PREFIX);
    }

    @Override
    public void close() {
        end.run();
    }
}
