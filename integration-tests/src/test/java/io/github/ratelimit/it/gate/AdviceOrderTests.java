/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Where the gate stands among other advice on one method: inside method security and {@code @Async}, outside transactions,
 * caches and spring-retry.
 */
class AdviceOrderTests {

    @AfterEach
    void forgetTheUser() {
        SecurityContextHolder.clearContext();
    }

    @ParameterizedTest
    @EnumSource
    void insideMethodSecurityWhichIsAskedFirstAndCostsNothing(Proxies proxies) {
        proxies.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            authenticate("ROLE_GUEST");
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(orders::secured);
            }
            authenticate("ROLE_CLERK");
            Gated.assertTwoCalls(orders::secured);
        });
    }

    @ParameterizedTest
    @EnumSource
    void outsideTransactionsSoThatADenialOpensNone(Proxies proxies) {
        proxies.with(Everything.class, Orders.class).run(context -> {
            Gated.assertTwoCalls(context.getBean(Orders.class)::transactional);
            assertThat(context.getBean(Recorder.class).events).containsExactly("begin", "commit", "begin", "commit");
        });
    }

    @ParameterizedTest
    @EnumSource
    void insideTransactionsWhenTheirOrderComesBeforeItsOwn(Proxies proxies) {
        proxies.with(OuterTransactions.class, Orders.class)
                .withPropertyValues("ratelimit.gate-order=2", "ratelimit.defaults.permits=1")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    orders.transactional();
                    Gated.assertDenied(orders::transactional);
                    assertThat(context.getBean(Recorder.class).events)
                            .containsExactly("begin", "commit", "begin", "rollback");
                });
    }

    @ParameterizedTest
    @EnumSource
    void outsideCachesSoThatHitsAreCounted(Proxies proxies) {
        proxies.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Gated.assertTwoCalls(() -> orders.cached("acme"));
            assertThat(orders.bodies()).hasValue(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void outsideRetriesSoThatACallCountsOnceAndADenialIsNotTriedAgain(Proxies proxies) {
        proxies.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(orders::retried).hasMessage("attempt 3");
            assertThatThrownBy(orders::retried).hasMessage("attempt 6");
            Gated.assertDenied(orders::retried);
            assertThat(orders.bodies()).hasValue(6);
        });
    }

    @ParameterizedTest
    @EnumSource
    void insideAsyncOnTheThreadThatRunsTheMethod(Proxies proxies) {
        proxies.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.later().join()).isNotSameAs(Thread.currentThread());
            orders.later().join();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> orders.later().join())
                    .withCauseInstanceOf(RateLimitExceededException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void betweenThemWhereAllAreOnOneMethod(Proxies proxies) {
        proxies.with(Everything.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.everything("acme").join()).isEqualTo("done");
            List<String> events = context.getBean(Recorder.class).events;
            assertThat(events).startsWith("security", "gate");
            assertThat(events.subList(2, events.size()))
                    .containsOnlyOnce("commit")
                    .contains("begin", "cache", "body")
                    .doesNotContain("security", "gate");
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    private static void authenticate(String role) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ann", "", role));
    }

    /** Limited methods, each beside other advice. */
    public static class Orders {

        private final AtomicInteger bodies = new AtomicInteger();
        private final Recorder recorder;

        /** With whom what happens is told. */
        public Orders(Recorder recorder) {
            this.recorder = recorder;
        }

        /** How often a body ran. */
        public AtomicInteger bodies() {
            return bodies;
        }

        @PreAuthorize("hasRole('CLERK')")
        @RateLimited
        public void secured() {}

        @Transactional
        @RateLimited
        public void transactional() {}

        @Cacheable("orders")
        @RateLimited
        public int cached(String tenant) {
            return bodies.incrementAndGet();
        }

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
        @RateLimited
        public void retried() {
            throw new IllegalStateException("attempt " + bodies.incrementAndGet());
        }

        @Async
        @RateLimited
        public CompletableFuture<Thread> later() {
            return CompletableFuture.completedFuture(Thread.currentThread());
        }

        @Async
        @PreAuthorize("@transactionManager.notes('security')")
        @RateLimited(condition = "@transactionManager.notes('gate')")
        @Transactional
        @Cacheable(cacheNames = "orders", key = "#tenant", condition = "@transactionManager.notes('cache')")
        @Retryable(maxAttempts = 2, backoff = @Backoff(delay = 1))
        public CompletableFuture<String> everything(String tenant) {
            recorder.notes("body");
            if (bodies.incrementAndGet() == 1) {
                throw new IllegalStateException("to be tried again");
            }
            return CompletableFuture.completedFuture("done");
        }
    }

    /** All other advice at once, in its own order. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableCaching
    @EnableAsync
    @EnableRetry
    @EnableMethodSecurity
    static class Everything {
        @Bean
        Recorder transactionManager() {
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
        Recorder transactionManager() {
            return new Recorder();
        }
    }

    /** Writes down when transactions begin and end. */
    public static class Recorder extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient List<String> events = new CopyOnWriteArrayList<>();

        /** Writes this down too; true, for expressions that ask. */
        public boolean notes(String event) {
            return events.add(event);
        }

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
