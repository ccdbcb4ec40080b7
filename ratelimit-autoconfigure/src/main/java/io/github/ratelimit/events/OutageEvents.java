/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import io.github.ratelimit.RateLimitStoreAwayEvent;
import io.github.ratelimit.RateLimitStoreBackEvent;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreHealth;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Publishes the beginning and the end of an outage, one after the other, on a thread of its own: who listens may be slow,
 * and neither callers nor deadlines wait for that. The thread is there only while there is something to publish. What
 * happens while the application starts is published once everybody can listen.
 */
public final class OutageEvents implements StoreHealth, ApplicationListener<ContextRefreshedEvent>, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OutageEvents.class);

    private static final long IDLE_SECONDS = 10;

    private final CountDownLatch everybodyListens = new CountDownLatch(1);
    private final ApplicationEventPublisher publisher;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            OutageEvents::thread,
            new ThreadPoolExecutor.DiscardPolicy());

    /** Publishes to this context's listeners. */
    public OutageEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        everybodyListens.countDown();
    }

    /** Nothing is published any more; who listens just now is interrupted. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    @Override
    public void failed(StoreFailure cause) {
        // one failure is no outage
    }

    @Override
    public void away(StoreFailure cause) {
        publish(new RateLimitStoreAwayEvent(cause.tag()));
    }

    @Override
    public void back(Duration away) {
        publish(new RateLimitStoreBackEvent(away));
    }

    private void publish(Object event) {
        thread.execute(() -> {
            try {
                everybodyListens.await();
                publisher.publishEvent(event);
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error failure) {
                log.warn("A listener to {} failed", event, failure);
            }
        });
    }

    /** Without what the thread that found the outage has at hand: it may be anybody's. */
    private static Thread thread(Runnable task) {
        Thread thread = new Thread(null, task, "ratelimit-events", 0, false);
        thread.setContextClassLoader(OutageEvents.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }
}
