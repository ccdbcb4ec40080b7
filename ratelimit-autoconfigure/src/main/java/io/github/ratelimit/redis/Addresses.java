/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.util.Collection;
import java.util.stream.Collectors;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.ClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.DomainSocketConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.SentinelConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithHostAndPort;
import org.springframework.data.redis.connection.RedisNode;

/** Where Redis is, for people to read: never with a user name or a password. */
final class Addresses {

    private Addresses() {}

    static String of(RedisConfiguration redis) {
        if (redis instanceof ClusterConfiguration cluster) {
            return "cluster " + list(cluster.getClusterNodes());
        }
        if (redis instanceof SentinelConfiguration sentinel && sentinel.getMaster() != null) {
            return sentinel.getMaster().getName() + " by Sentinel " + list(sentinel.getSentinels());
        }
        if (redis instanceof DomainSocketConfiguration domain) {
            return domain.getSocket();
        }
        return redis instanceof WithHostAndPort server ? server.getHostName() + ":" + server.getPort() : "";
    }

    private static String list(Collection<RedisNode> nodes) {
        return nodes.stream().map(node -> node.getHost() + ":" + node.getPort()).collect(Collectors.joining(", "));
    }
}
