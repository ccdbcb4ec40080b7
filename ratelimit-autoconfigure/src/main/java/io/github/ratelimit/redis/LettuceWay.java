/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One way to Redis: a connection of our own ({@link OwnLettuceClient}), with none of the application's traffic on it. It is
 * opened on first use, beside the caller's thread.
 *
 * <p>A connection is never repaired: when it broke, the next call opens another, and when it no longer leads to a Redis
 * that answers ({@link #renew}) another is opened beside it and takes its place. So nothing is ever sent twice. A call that
 * had to wait for the opening longer than anybody waits for its answer is not sent at all.
 *
 * <p>The connection to a cluster is one to each master, and one more that counts for Lettuce, to any node. When that one
 * breaks while masters answer, another connection is opened beside it as well, and nobody waits for it.
 */
final class LettuceWay {

    private static final Logger log = LoggerFactory.getLogger(LettuceWay.class);

    private static final long BETWEEN_RENEWALS_NANOS = 1_000_000_000;

    /** What is under way on a connection that was replaced has so long to be answered. */
    private static final long RETIREMENT_SECONDS = 10;

    private final OwnLettuceClient client;
    private final Executor connector;
    private final long patienceNanos;
    private final AtomicReference<@Nullable CompletableFuture<LettuceLink>> link = new AtomicReference<>();
    private final AtomicLong renewedAt = new AtomicLong(System.nanoTime() - BETWEEN_RENEWALS_NANOS);

    /** A way that opens its connections by the connector; a call waits for one as long as the patience lasts. */
    LettuceWay(OwnLettuceClient client, Executor connector, Duration patience) {
        this.client = client;
        this.connector = connector;
        this.patienceNanos = patience.toNanos();
    }

    /** Opens the connection, unless it is there. */
    CompletionStage<Void> prepare() {
        return link().thenAccept(open -> {});
    }

    /** Redis may not answer on this way for long: opens another connection beside it, at most once a second. */
    void renew() {
        CompletableFuture<LettuceLink> present = link.get();
        long last = renewedAt.get();
        long now = System.nanoTime();
        if (present != null
                && present.isDone()
                && now - last >= BETWEEN_RENEWALS_NANOS
                && renewedAt.compareAndSet(last, now)) {
            start(() -> replace(present), LettuceWay::notRenewed);
        }
    }

    /** The event loop of the connection; {@code null} where there is none, nothing came over it yet, or there are several. */
    @Nullable
    EventLoop loop() {
        CompletableFuture<LettuceLink> present = link.get();
        return present != null && isOpen(present) ? present.join().loop() : null;
    }

    /** The connection is closed by the client, with all others. */
    void forget() {
        link.set(null);
    }

    /** Sends a command. Lettuce throws where it refuses one at once; that is an answer like any other. */
    <T> CompletionStage<T> send(Function<LettuceLink, CompletionStage<T>> command) {
        try {
            CompletableFuture<LettuceLink> present = link();
            return present.isDone() ? command.apply(present.join()) : present.thenCompose(inTime(command));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(RedisFailures.asStoreFailure(e));
        }
    }

    private <T> Function<LettuceLink, CompletionStage<T>> inTime(Function<LettuceLink, CompletionStage<T>> command) {
        long asked = System.nanoTime();
        return open -> System.nanoTime() - asked > patienceNanos
                ? CompletableFuture.failedFuture(RedisFailures.notSent())
                : command.apply(open);
    }

    private CompletableFuture<LettuceLink> link() {
        CompletableFuture<LettuceLink> present = link.get();
        if (present != null && isUsable(present)) {
            return present;
        }
        if (present != null && is(present, LettuceLink::isAnswering)) {
            renew();
            return present;
        }
        CompletableFuture<LettuceLink> fresh = new CompletableFuture<>();
        if (client.isClosed()) {
            fresh.completeExceptionally(RedisFailures.asStoreFailure(new IllegalStateException("The store is closed")));
        } else if (!link.compareAndSet(present, fresh)) {
            return link();
        } else {
            start(
                    () -> settle(present, fresh),
                    refused -> fresh.completeExceptionally(RedisFailures.asStoreFailure(refused)));
        }
        return fresh;
    }

    private void settle(@Nullable CompletableFuture<LettuceLink> broken, CompletableFuture<LettuceLink> fresh) {
        try {
            LettuceLink open = client.open(fresh::complete);
            if (link.get() != fresh) {
                client.close(open);
            }
        } catch (RuntimeException | Error e) {
            fresh.completeExceptionally(RedisFailures.asStoreFailure(e));
        } finally {
            close(broken);
        }
    }

    private void close(@Nullable CompletableFuture<LettuceLink> link) {
        if (link != null && link.isDone() && !link.isCompletedExceptionally()) {
            client.close(link.join());
        }
    }

    private void start(Runnable opening, Consumer<Throwable> refused) {
        try {
            connector.execute(opening);
        } catch (RuntimeException | Error e) {
            refused.accept(e);
        }
    }

    private static boolean isUsable(CompletableFuture<LettuceLink> link) {
        return !link.isDone() || isOpen(link);
    }

    private static boolean isOpen(CompletableFuture<LettuceLink> link) {
        return is(link, LettuceLink::isOpen);
    }

    private static boolean is(CompletableFuture<LettuceLink> link, Predicate<LettuceLink> so) {
        return link.isDone() && !link.isCompletedExceptionally() && so.test(link.join());
    }

    private void replace(CompletableFuture<LettuceLink> present) {
        try {
            LettuceLink fresh = client.open(open -> {});
            if (!link.compareAndSet(present, CompletableFuture.completedFuture(fresh))) {
                client.close(fresh);
            } else {
                CompletableFuture.delayedExecutor(RETIREMENT_SECONDS, TimeUnit.SECONDS, connector)
                        .execute(() -> close(present));
            }
        } catch (RuntimeException e) {
            notRenewed(e);
        }
    }

    private static void notRenewed(Throwable failure) {
        log.debug("Redis could not be reached anew", failure);
    }
}
