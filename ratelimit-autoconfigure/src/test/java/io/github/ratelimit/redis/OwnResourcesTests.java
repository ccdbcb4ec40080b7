/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@WithRedis
class OwnResourcesTests {

    @Test
    void onlyOurConnectionsGatherWhatTheySend(RedisServer redis) {
        List<Channel> customized = new ArrayList<>();
        ClientResources theirs = ClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        customized.add(channel);
                    }
                })
                .build();
        RedisURI address = RedisURI.create(redis.host(), redis.port());
        Optional<ClientResources> applications = Optional.of(theirs);
        ClientResources shared = OwnResources.beside(applications, OwnResources.openings(applications));
        try (RedisClient application = RedisClient.create(theirs, address);
                RedisClient ours = RedisClient.create(shared, address);
                StatefulRedisConnection<String, String> one = application.connect();
                StatefulRedisConnection<String, String> other = ours.connect()) {
            assertThat(one.sync().ping()).isEqualTo("PONG");
            assertThat(other.sync().ping()).isEqualTo("PONG");
            assertThat(customized).hasSize(2);
            assertThat(customized.get(0).pipeline().get(FlushConsolidationHandler.class))
                    .isNull();
            assertThat(customized.get(1).pipeline().get(FlushConsolidationHandler.class))
                    .isNotNull();
            assertThat(theirs.eventLoopGroupProvider())
                    .isNotSameAs(ours.getResources().eventLoopGroupProvider());

            assertThat(shared.shutdown().awaitUninterruptibly().isSuccess()).isTrue();
            assertThat(one.sync().ping()).isEqualTo("PONG");
            assertThat(theirs.eventExecutorGroup().isShuttingDown()).isFalse();
        }
        theirs.shutdown().awaitUninterruptibly();
    }
}
