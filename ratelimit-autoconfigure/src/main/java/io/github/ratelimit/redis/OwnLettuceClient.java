/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A Lettuce client of our own, made as the application's connection factory makes its: same addresses, credentials, TLS
 * and database, always the master.
 *
 * <p>What differs is what counting needs. A connection that breaks is not repaired: Lettuce would send again what was not
 * answered, and so charge twice; and its pauses grow while Redis is away. {@link LettuceTransport} opens another instead.
 * No time-outs of Lettuce's own: an answer that is late is still wanted, to give its permits back.
 */
final class OwnLettuceClient implements AutoCloseable {

    /** Opening a connection takes no longer; the next attempt follows. */
    static final Duration LONGEST_OPENING = Duration.ofSeconds(2);

    private static final Duration BETWEEN_TOPOLOGY_REFRESHES = Duration.ofSeconds(1);

    static final String CONFIGURATION = "configuration";

    private final LettuceConnectionFactory theirs;
    private final boolean clustered;
    private final Openings openings;
    private final Set<LettuceLink> links = ConcurrentHashMap.newKeySet();
    private @Nullable Running running;
    private volatile boolean closed;

    /** From the first connection until all are closed. */
    private record Running(LettuceConnectionFactory ours, ClientResources resources) {

        void stop() {
            ours.stop();
            var unused = resources.shutdown();
        }
    }

    OwnLettuceClient(LettuceConnectionFactory theirs) {
        this.theirs = theirs;
        this.clustered = theirs.getClusterConfiguration() != null;
        this.openings = OwnResources.openings(theirs.getClientConfiguration().getClientResources());
    }

    boolean isClustered() {
        return clustered;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Opens a connection; of a cluster, with a fresh look at who is master of what. Takes its time.
     *
     * @param waiting what waits for it and opens more: a cluster's nodes are connected by their first commands
     */
    LettuceLink open(Consumer<LettuceLink> waiting) {
        return with(client -> {
            LettuceLink link = connect(client);
            links.add(link);
            waiting.accept(link);
            return link;
        });
    }

    /** Opens something else; whoever does closes it. Takes its time. */
    <T> T with(Function<AbstractRedisClient, T> opening) {
        return openings.open(() -> opening.apply(client()));
    }

    private LettuceLink connect(AbstractRedisClient client) {
        if (client instanceof RedisClusterClient cluster) {
            cluster.refreshPartitions();
            StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
            return new LettuceLink(connection, connection.async(), () -> null);
        }
        var connection = ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
        return new LettuceLink(connection, connection.async(), openings::currentLoop);
    }

    private synchronized AbstractRedisClient client() {
        if (closed) {
            throw new IllegalStateException("The store is closed");
        }
        Running present = running;
        if (present == null) {
            present = start();
            running = present;
        }
        return present.ours.getRequiredNativeClient();
    }

    private Running start() {
        LettuceClientConfiguration settings = theirs.getClientConfiguration();
        ClientResources resources = OwnResources.beside(settings.getClientResources(), openings);
        LettuceConnectionFactory ours = new LettuceConnectionFactory(addresses(theirs), settings(settings, resources));
        ours.afterPropertiesSet();
        ours.start();
        return new Running(ours, resources);
    }

    private synchronized void stop() {
        Running present = running;
        running = null;
        if (present != null) {
            present.stop();
        }
    }

    /** Closes a connection, or what is left of it. */
    void close(LettuceLink link) {
        links.remove(link);
        link.close();
    }

    /** Closes every connection, and ends what is being opened. The next one opened begins anew. */
    void disconnect() {
        links.forEach(this::close);
        openings.end(this::stop);
    }

    /** The same for good. */
    @Override
    public void close() {
        closed = true;
        disconnect();
    }

    /**
     * Whether the factory says where Redis is. One for a static list of master and replicas keeps that to itself: only the
     * name of its private field tells it from one for a single server.
     */
    static boolean isPossible(LettuceConnectionFactory theirs) {
        Field configuration = ReflectionUtils.findField(LettuceConnectionFactory.class, CONFIGURATION);
        if (configuration == null) {
            return false;
        }
        ReflectionUtils.makeAccessible(configuration);
        return !RedisConfiguration.isStaticMasterReplicaConfiguration(
                (RedisConfiguration) ReflectionUtils.getField(configuration, theirs));
    }

    static RedisConfiguration addresses(LettuceConnectionFactory theirs) {
        if (theirs.getClusterConfiguration() != null) {
            return theirs.getClusterConfiguration();
        }
        if (theirs.getSentinelConfiguration() != null) {
            return theirs.getSentinelConfiguration();
        }
        return theirs.getSocketConfiguration() != null
                ? theirs.getSocketConfiguration()
                : theirs.getStandaloneConfiguration();
    }

    private LettuceClientConfiguration settings(LettuceClientConfiguration theirs, ClientResources resources) {
        LettuceClientConfigurationBuilder settings = LettuceClientConfiguration.builder()
                .clientOptions(options(theirs.getClientOptions().orElseGet(ClientOptions::create)))
                .commandTimeout(LONGEST_OPENING)
                .shutdownTimeout(theirs.getShutdownTimeout())
                .shutdownQuietPeriod(Duration.ZERO)
                .clientResources(resources);
        theirs.getClientName().ifPresent(settings::clientName);
        theirs.getRedisCredentialsProviderFactory().ifPresent(settings::redisCredentialsProviderFactory);
        if (theirs.isUseSsl()) {
            var tls = settings.useSsl().verifyPeer(theirs.getVerifyMode());
            return (theirs.isStartTls() ? tls.startTls() : tls).build();
        }
        return settings.build();
    }

    private ClientOptions options(ClientOptions theirs) {
        if (!clustered) {
            return neverSentTwice(theirs.mutate(), theirs).build();
        }
        ClusterClientOptions.Builder options = theirs instanceof ClusterClientOptions cluster
                ? cluster.mutate()
                : ClusterClientOptions.builder(theirs);
        neverSentTwice(options, theirs);
        return options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(BETWEEN_TOPOLOGY_REFRESHES)
                        .build())
                .build();
    }

    private static ClientOptions.Builder neverSentTwice(ClientOptions.Builder options, ClientOptions theirs) {
        Duration connecting = theirs.getSocketOptions().getConnectTimeout();
        return options.autoReconnect(false)
                .timeoutOptions(TimeoutOptions.create())
                .socketOptions(theirs.getSocketOptions()
                        .mutate()
                        .connectTimeout(connecting.compareTo(LONGEST_OPENING) < 0 ? connecting : LONGEST_OPENING)
                        .build());
    }
}
