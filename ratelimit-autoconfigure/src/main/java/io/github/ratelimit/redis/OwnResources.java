/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import java.util.Optional;

/**
 * What our Lettuce client works with: the application's resources, if it has any, but few flushes, and channels we can end.
 *
 * <p>Event loops are our own: a client that ends gives its loops back, and the last to do so ends them, perhaps while
 * the application's client begins.
 *
 * @param all to be shut down, which leaves alone what is the application's
 * @param openings the channels
 */
record OwnResources(ClientResources all, Openings openings) {

    static OwnResources beside(Optional<ClientResources> theirs) {
        NettyCustomizer customizer =
                theirs.map(ClientResources::nettyCustomizer).orElseGet(OwnResources::none);
        Openings openings = new Openings(new FewFlushes(customizer));
        ClientResources.Builder all = theirs.map(OwnResources::sharing).orElseGet(ClientResources::builder);
        return new OwnResources(all.nettyCustomizer(openings).build(), openings);
    }

    private static ClientResources.Builder sharing(ClientResources theirs) {
        return theirs.mutate()
                .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(theirs.ioThreadPoolSize()))
                .eventExecutorGroup(theirs.eventExecutorGroup())
                .timer(theirs.timer())
                .commandLatencyRecorder(theirs.commandLatencyRecorder());
    }

    private static NettyCustomizer none() {
        return new NettyCustomizer() {};
    }
}
