/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** The gate stands outside transactions and caches, and inside what moves a call to another thread. */
class BesideOtherAdviceTests {

    @Test
    void opensNoTransactionForADeniedCall() {
        Gated.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            List<String> events = context.getBean(Recorder.class).events;
            orders.transactional();
            orders.transactional();
            assertThat(events).containsExactly("begin", "commit", "begin", "commit");
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::transactional);
            assertThat(events).hasSize(4);
        });
    }

    @Test
    void standsInsideTransactionsWhenItsOrderSaysSo() {
        Gated.with(OuterTransactions.class, Orders.class)
                .withPropertyValues("ratelimit.gate-order=2", "ratelimit.defaults.permits=1")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    List<String> events = context.getBean(Recorder.class).events;
                    orders.transactional();
                    assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::transactional);
                    assertThat(events).containsExactly("begin", "commit", "begin", "rollback");
                });
    }

    @Test
    void countsWhatTheCacheAnswers() {
        Gated.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.cached("acme")).isEqualTo(1);
            assertThat(orders.cached("acme")).isEqualTo(1);
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> orders.cached("acme"));
        });
    }

    @Test
    void decidesAsynchronousCallsOnTheirOwnThread() {
        Gated.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.later().join())
                    .isNotEqualTo(Thread.currentThread().getName());
            orders.later().join();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> orders.later().join())
                    .withCauseInstanceOf(RateLimitExceededException.class);
        });
    }

    static class Orders {

        private int looked;

        @Transactional
        @RateLimited
        public void transactional() {}

        @Cacheable("orders")
        @RateLimited
        public int cached(String tenant) {
            return ++looked;
        }

        @Async
        @RateLimited
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableCaching
    @EnableAsync
    static class Everything {
        @Bean
        PlatformTransactionManager transactionManager() {
            return new Recorder();
        }

        @Bean
        ConcurrentMapCacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 1)
    static class OuterTransactions {
        @Bean
        PlatformTransactionManager transactionManager() {
            return new Recorder();
        }
    }

    static class Recorder extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient List<String> events = new CopyOnWriteArrayList<>();

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            events.add("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            events.add("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            events.add("rollback");
        }
    }
}
