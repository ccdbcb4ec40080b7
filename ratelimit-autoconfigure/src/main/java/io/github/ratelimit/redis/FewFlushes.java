/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/** The application's Lettuce resources, but commands that are written in one turn of the event loop leave together. */
final class FewFlushes implements NettyCustomizer {

    private static final int MOST_TOGETHER = 256;

    private final NettyCustomizer theirs;

    private FewFlushes(NettyCustomizer theirs) {
        this.theirs = theirs;
    }

    /** Resources that share everything with these. To be shut down all the same, which leaves alone what is shared. */
    static ClientResources on(ClientResources theirs) {
        return theirs.mutate()
                .eventLoopGroupProvider(theirs.eventLoopGroupProvider())
                .eventExecutorGroup(theirs.eventExecutorGroup())
                .timer(theirs.timer())
                .commandLatencyRecorder(theirs.commandLatencyRecorder())
                .nettyCustomizer(new FewFlushes(theirs.nettyCustomizer()))
                .build();
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        theirs.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        theirs.afterChannelInitialized(channel);
        channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_TOGETHER, true));
    }
}
