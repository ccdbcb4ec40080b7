/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/** Commands that are written in one turn of the event loop leave together. */
final class FewFlushes implements NettyCustomizer {

    private static final int MOST_TOGETHER = 256;

    private final NettyCustomizer theirs;

    FewFlushes(NettyCustomizer theirs) {
        this.theirs = theirs;
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
