/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Where the gate stands among other advice on methods that return publishers; each subscription comes to it. */
class ReactiveAdviceTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @AfterEach
    void forgetTheUser() {
        SecurityContextHolder.clearContext();
    }

    @ParameterizedTest
    @EnumSource
    void insideReactiveMethodSecurityForEachSubscription(Proxies proxies) {
        proxies.with(Secured.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Mono<String> mono = orders.secured();
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> as("GUEST", mono));
            }
            assertThat(as("CLERK", mono)).isEqualTo("done");
            assertThat(as("CLERK", mono)).isEqualTo("done");
            Gated.assertDenied(() -> as("CLERK", mono));
            Gated.assertDenied(() -> as("CLERK", mono));
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    @ParameterizedTest
    @EnumSource
    void insideReactiveMethodSecurityForEachSubscriptionOfAFlux(Proxies proxies) {
        proxies.with(Secured.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Mono<String> last = orders.securedFlux().last();
            assertThat(as("CLERK", last)).isEqualTo("again");
            assertThat(as("CLERK", last)).isEqualTo("again");
            Gated.assertDenied(() -> as("CLERK", last));
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    @Test
    void insideReactiveMethodSecurityWhichIsAskedForEachRetry() {
        Gated.with(Secured.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Gated.assertDenied(() -> as("CLERK", orders.failing().retry(5)));
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    @Test
    void leavesAdviceThatIsAskedAtTheCallOnTheThreadThatCalls() {
        Gated.with(SecuredByThread.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatExceptionOfType(Exception.class).isThrownBy(orders::secured);
            SecurityContextHolder.getContext()
                    .setAuthentication(new TestingAuthenticationToken("ann", "", "ROLE_CLERK"));
            Mono<String> elsewhere = orders.secured().subscribeOn(Schedulers.boundedElastic());
            assertThat(elsewhere.block(PATIENCE)).isEqualTo("done");
            assertThat(elsewhere.block(PATIENCE)).isEqualTo("done");
            Gated.assertDenied(() -> elsewhere.block(PATIENCE));
        });
    }

    @ParameterizedTest
    @EnumSource
    void outsideTransactionsSoThatADenialOpensNone(Proxies proxies) {
        proxies.with(Transactions.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Counting transactions = context.getBean(Counting.class);
            Mono<String> mono = orders.transactional();
            Gated.assertTwoCalls(() -> mono.block(PATIENCE));
            Flux<String> flux = orders.transactionalFlux();
            Gated.assertTwoCalls(() -> flux.collectList().block(PATIENCE));
            assertThat(transactions.begun).hasValue(4);
            assertThat(transactions.committed).hasValue(4);
            assertThat(transactions.rolledBack).hasValue(0);
        });
    }

    @ParameterizedTest
    @EnumSource
    void outsideCachesSoThatHitsAreCounted(Proxies proxies) {
        proxies.with(Caches.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Gated.assertTwoCalls(() -> orders.cached("acme").block(PATIENCE));
            Gated.assertTwoCalls(() -> orders.cachedFlux("acme").collectList().block(PATIENCE));
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    private static <T> T as(String role, Mono<T> mono) {
        return Objects.requireNonNull(mono.contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                        new TestingAuthenticationToken("ann", "", "ROLE_" + role)))
                .block(PATIENCE));
    }

    /** Limited methods, each beside other advice. */
    public static class Orders {

        private final AtomicInteger bodies = new AtomicInteger();

        /** How often a body ran. */
        public AtomicInteger bodies() {
            return bodies;
        }

        @PreAuthorize("hasRole('CLERK')")
        @PostAuthorize("returnObject != null")
        @RateLimited
        public Mono<String> secured() {
            bodies.incrementAndGet();
            return Mono.just("done");
        }

        @PreAuthorize("hasRole('CLERK')")
        @RateLimited
        public Flux<String> securedFlux() {
            bodies.incrementAndGet();
            return Flux.just("done", "again");
        }

        @PreAuthorize("hasRole('CLERK')")
        @RateLimited
        public Mono<String> failing() {
            bodies.incrementAndGet();
            return Mono.error(new IllegalStateException("again"));
        }

        @Transactional
        @RateLimited
        public Mono<String> transactional() {
            return Mono.just("done");
        }

        @Transactional
        @RateLimited
        public Flux<String> transactionalFlux() {
            return Flux.just("done", "again");
        }

        @Cacheable("orders")
        @RateLimited
        public Mono<String> cached(String tenant) {
            return Mono.fromSupplier(() -> tenant + bodies.incrementAndGet());
        }

        @Cacheable("lists")
        @RateLimited
        public Flux<String> cachedFlux(String tenant) {
            return Flux.defer(() -> Flux.just(tenant + bodies.incrementAndGet()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveMethodSecurity
    static class Secured {}

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class SecuredByThread {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {
        @Bean
        Counting transactionManager() {
            return new Counting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caches {
        @Bean
        ConcurrentMapCacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }
    }

    /** Counts transactions. */
    public static class Counting implements ReactiveTransactionManager {

        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger committed = new AtomicInteger();
        final AtomicInteger rolledBack = new AtomicInteger();

        @Override
        public Mono<ReactiveTransaction> getReactiveTransaction(@Nullable TransactionDefinition definition) {
            return Mono.fromSupplier(() -> {
                begun.incrementAndGet();
                return new ReactiveTransaction() {};
            });
        }

        @Override
        public Mono<Void> commit(ReactiveTransaction transaction) {
            return Mono.fromRunnable(committed::incrementAndGet);
        }

        @Override
        public Mono<Void> rollback(ReactiveTransaction transaction) {
            return Mono.fromRunnable(rolledBack::incrementAndGet);
        }
    }
}
