/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are just being opened, and the end of all.
 *
 * <p>A Lettuce client that is shut down while it connects loses sight of the attempt: Netty logs an error, and who waits for
 * the connection may wait for ever. So an end gives those who are at it a moment, then closes the channels, which ends
 * every attempt, waits until the last one has left, and lets nobody in before all is over.
 */
@SuppressWarnings("FutureReturnValueIgnored") // whoever opens the channel hears of its end
final class Openings implements NettyCustomizer {

    /** Where Redis answers an attempt is over by then; one that is cut short is a warning in Lettuce's log. */
    private static final long MOMENT_MILLIS = 250;

    /** An attempt whose channels are closed ends at once, or where one was lost when its own time is over. */
    private static final long PATIENCE_MILLIS = 2_500;

    private final NettyCustomizer inner;
    private final ReadWriteLock doors = new ReentrantReadWriteLock();
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private volatile boolean ending;

    /** To be asked after the other one. */
    Openings(NettyCustomizer inner) {
        this.inner = inner;
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        inner.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        inner.afterChannelInitialized(channel);
        channels.add(channel);
        RedisHandshakeHandler greeting = channel.pipeline().get(RedisHandshakeHandler.class);
        channel.closeFuture().addListener(closed -> {
            channels.remove(channel);
            channel.eventLoop().execute(() -> giveUp(greeting));
        });
        if (ending) {
            channel.close();
        }
    }

    /**
     * A channel that was refused is never greeted. Lettuce would close it once more when the time for that is over, and Netty
     * log an error if all event loops have ended by then. Who was told why already is not told again.
     */
    private static void giveUp(@Nullable RedisHandshakeHandler greeting) {
        if (greeting != null) {
            greeting.channelInitialized().toCompletableFuture().completeExceptionally(new ClosedChannelException());
        }
    }

    /** The event loop whose thread is the current one, if it has a channel of these. */
    @Nullable
    EventLoop currentLoop() {
        for (Channel channel : channels) {
            if (channel.eventLoop().inEventLoop()) {
                return channel.eventLoop();
            }
        }
        return null;
    }

    /** Opens something. Several may be at it. */
    <T> T open(Supplier<T> opening) {
        doors.readLock().lock();
        try {
            return opening.get();
        } finally {
            doors.readLock().unlock();
        }
    }

    /** Lets openings end, closes all channels, and then does what must not be done beside an opening. */
    void end(Runnable shutdown) {
        boolean alone = isAlone(MOMENT_MILLIS);
        ending = true;
        channels.forEach(Channel::close);
        alone = alone || isAlone(PATIENCE_MILLIS);
        try {
            shutdown.run();
        } finally {
            ending = false;
            if (alone) {
                doors.writeLock().unlock();
            }
        }
    }

    private boolean isAlone(long millis) {
        try {
            return doors.writeLock().tryLock(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
