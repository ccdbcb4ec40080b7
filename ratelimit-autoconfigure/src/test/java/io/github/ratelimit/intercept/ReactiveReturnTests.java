/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** Mono, Flux and Publisher are decided for each subscription, before the method is called. */
class ReactiveReturnTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = Gated.with(Orders.class)
            .withPropertyValues(
                    "ratelimit.limits.slow.permits=1",
                    "ratelimit.limits.slow.period=300ms",
                    "ratelimit.limits.hour.permits=1",
                    "ratelimit.limits.hour.period=1h");

    @Test
    void callsTheMethodForEachSubscriptionAndNotBefore() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Mono<String> mono = orders.mono("acme");
            assertThat(orders.ran()).isZero();
            assertThat(mono.block(PATIENCE)).isEqualTo("acme");
            assertThat(mono.block(PATIENCE)).isEqualTo("acme");
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> mono.block(PATIENCE));
            assertThat(orders.ran()).isEqualTo(2);
        });
    }

    @Test
    void countsEachRetry() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> orders.failing().retry(5).block(PATIENCE));
            assertThat(orders.ran()).isEqualTo(2);
        });
    }

    @Test
    void decidesFluxAndPublisher() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Flux<Integer> flux = orders.flux();
            assertThat(flux.collectList().block(PATIENCE)).hasSize(100);
            assertThat(flux.collectList().block(PATIENCE)).hasSize(100);
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> flux.collectList().block(PATIENCE));
            Flux<String> published = Flux.from(orders.publisher());
            assertThat(published.collectList().block(PATIENCE)).isEqualTo(List.of("a", "b"));
            assertThat(published.collectList().block(PATIENCE)).isEqualTo(List.of("a", "b"));
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(published::blockLast);
        });
    }

    @Test
    void decidesWhateverSpringAdaptsToAPublisher() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Flux<String> adapted = JdkFlowAdapter.flowPublisherToFlux(orders.adapted());
            assertThat(orders.ran()).isZero();
            assertThat(adapted.collectList().block(PATIENCE)).isEqualTo(List.of("a", "b"));
            assertThat(adapted.collectList().block(PATIENCE)).isEqualTo(List.of("a", "b"));
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(adapted::blockLast);
            assertThat(orders.ran()).isEqualTo(2);
        });
    }

    @Test
    void runsTheAdviceInsideForEachSubscription() {
        application.withUserConfiguration(Inside.class).run(context -> {
            Mono<String> mono = context.getBean(Orders.class).mono("acme");
            mono.block(PATIENCE);
            mono.block(PATIENCE);
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> mono.block(PATIENCE));
            assertThat(context.getBean(AtomicInteger.class)).hasValue(2);
        });
    }

    @Test
    void failsTheMonoOfACallWithoutAKey() {
        application.run(context -> assertThatExceptionOfType(InvalidRateLimitKeyException.class)
                .isThrownBy(() -> context.getBean(Orders.class).mono(" ").block(PATIENCE)));
    }

    @Test
    void runsTheMethodOnAParallelThreadAfterAWait() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.thread().block(PATIENCE))
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(orders.thread().block(PATIENCE)).startsWith("parallel-");
        });
    }

    @Test
    void givesBackWhenAWaitIsCancelled() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.hourly().block(PATIENCE);
            Disposable waiting = orders.hourly().subscribe();
            assertThat(waiting.isDisposed()).isFalse();
            waiting.dispose();
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.refund("hour", "everyone", 1);
            await().untilAsserted(() ->
                    assertThat(limiter.tryAcquire("hour", "everyone").passes()).isTrue());
            assertThat(orders.ran()).isEqualTo(1);
        });
    }

    @Test
    void leavesTheMethodsMonoToCompleteByItself() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.mono("acme").block(PATIENCE);
            assertThat(orders.ended()).containsExactly(SignalType.ON_COMPLETE);
        });
    }

    @Test
    void handsDemandAndCancellingOnToTheMethodsFlux() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            BaseSubscriber<Integer> subscriber = new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    request(3);
                }
            };
            orders.flux().subscribe(subscriber);
            assertThat(orders.requested()).hasValue(3);
            subscriber.cancel();
            assertThat(orders.ended()).containsExactly(SignalType.CANCEL);
        });
    }

    @Test
    void leavesWhatTheMethodThrowsAsItIs() {
        application.run(context -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).throwing().block(PATIENCE))
                    .withMessage("the method's own");
        });
    }

    /** Advice that counts the calls that come to it. */
    @Configuration(proxyBeanMethods = false)
    static class Inside {
        @Bean
        AtomicInteger came() {
            return new AtomicInteger();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor inside(ObjectProvider<AtomicInteger> came) {
            NameMatchMethodPointcut mono = new NameMatchMethodPointcut();
            mono.addMethodName("mono");
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(mono, (MethodInterceptor) call -> {
                came.getObject().incrementAndGet();
                return call.proceed();
            });
            advisor.setOrder(2000);
            return advisor;
        }
    }

    static class Orders {

        private final AtomicInteger ran = new AtomicInteger();
        private final AtomicLong requested = new AtomicLong();
        private final Queue<SignalType> ended = new ConcurrentLinkedQueue<>();

        @RateLimited(key = "#tenant")
        public Mono<String> mono(String tenant) {
            ran.incrementAndGet();
            return Mono.just(tenant).doFinally(ended::add);
        }

        @RateLimited
        public Mono<String> failing() {
            ran.incrementAndGet();
            return Mono.error(new IllegalStateException("again"));
        }

        @RateLimited
        public Flux<Integer> flux() {
            return Flux.range(0, 100).doOnRequest(requested::addAndGet).doFinally(ended::add);
        }

        @RateLimited
        public Publisher<String> publisher() {
            return Flux.just("a", "b");
        }

        @RateLimited
        public Flow.Publisher<String> adapted() {
            ran.incrementAndGet();
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.just("a", "b"));
        }

        @RateLimited(name = "slow", maxWait = "5s")
        public Mono<String> thread() {
            return Mono.just(Thread.currentThread().getName());
        }

        @RateLimited(name = "hour", key = "'everyone'", maxWait = "1h")
        public Mono<String> hourly() {
            ran.incrementAndGet();
            return Mono.just("ran");
        }

        @RateLimited
        public Mono<String> throwing() {
            throw new IllegalStateException("the method's own");
        }

        Queue<SignalType> ended() {
            return ended;
        }

        AtomicLong requested() {
            return requested;
        }

        int ran() {
            return ran.get();
        }
    }
}
