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
 */
final class OwnResources {

    private OwnResources() {}

    /** The channels of clients beside this one, and how they are opened. */
    static Openings openings(Optional<ClientResources> theirs) {
        return new Openings(
                new FewFlushes(theirs.map(ClientResources::nettyCustomizer).orElseGet(() -> new NettyCustomizer() {})));
    }

    /** Resources for one client. To be shut down, which leaves alone what is the application's. */
    static ClientResources beside(Optional<ClientResources> theirs, Openings openings) {
        return theirs.map(OwnResources::sharing)
                .orElseGet(ClientResources::builder)
                .nettyCustomizer(openings)
                .build();
    }

    private static ClientResources.Builder sharing(ClientResources theirs) {
        return theirs.mutate()
                .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(theirs.ioThreadPoolSize()))
                .eventExecutorGroup(theirs.eventExecutorGroup())
                .timer(theirs.timer())
                .commandLatencyRecorder(theirs.commandLatencyRecorder());
    }
}
