/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
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

    /**
     * Resources that share with these what is never given back. To be shut down, which leaves alone what is shared.
     *
     * <p>Event loops are our own: a client that ends gives its loops back, and the last to do so ends them, perhaps while
     * the application's client begins.
     */
    static ClientResources on(ClientResources theirs) {
        return theirs.mutate()
                .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(theirs.ioThreadPoolSize()))
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
