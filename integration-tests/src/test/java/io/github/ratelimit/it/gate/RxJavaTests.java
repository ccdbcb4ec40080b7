/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.BaseTestConsumer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** RxJava's types are decided for each subscription, as Reactor's are: denied, they fail and the method is not called. */
class RxJavaTests {

    /** Each type, how it is subscribed to, and what it gives. */
    static Stream<Arguments> types() {
        return Stream.of(
                type("Flowable", orders -> orders.flowable("acme").test(), "a", "b"),
                type("Observable", orders -> orders.observable("acme").test(), "a", "b"),
                type("Single", orders -> orders.single("acme").test(), "a"),
                type("Maybe", orders -> orders.maybe("acme").test(), "a"),
                type("empty Maybe", orders -> orders.empty("acme").test()),
                type("Completable", orders -> orders.completable("acme").test()));
    }

    private static Arguments type(
            String name, Function<Orders, BaseTestConsumer<?, ?>> subscription, Object... values) {
        return Arguments.of(named(name, subscription), List.of(values));
    }

    @ParameterizedTest
    @MethodSource("types")
    void areDecidedForEachSubscription(Function<Orders, BaseTestConsumer<?, ?>> subscription, List<Object> values) {
        Gated.with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 2; i++) {
                BaseTestConsumer<?, ?> allowed = subscription.apply(orders).await();
                allowed.assertComplete();
                assertThat(List.<Object>copyOf(allowed.values())).isEqualTo(values);
            }
            subscription.apply(orders).await().assertFailure(RateLimitExceededException.class);
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    @Test
    void areNotDecidedBeforeAnybodySubscribes() {
        Gated.with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Single<String> single = orders.single("acme");
            orders.single("acme");
            orders.single("acme");
            assertThat(orders.bodies()).hasValue(0);
            single.test().await().assertComplete();
            single.test().await().assertComplete();
            single.test().await().assertFailure(RateLimitExceededException.class);
            assertThat(orders.bodies()).hasValue(2);
        });
    }

    @Test
    void haveFallbacksOfTheirType() {
        Gated.with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.withFallback().test().await().assertResult("a");
            orders.withFallback().test().await().assertResult("a");
            orders.withFallback().test().await().assertResult("denied by orders-with-fallback");
        });
    }

    @Test
    void giveBackWhenTheyAreDisposedOfWhileTheyWait() {
        Gated.with(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.patient().test().await().assertComplete();
            Disposable waiting = orders.patient().subscribe();
            assertThat(waiting.isDisposed()).isFalse();
            waiting.dispose();
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.refund("hour", "everyone", 1);
            assertThat(limiter.tryAcquire("hour", "everyone").passes()).isTrue();
            assertThat(orders.bodies()).hasValue(1);
        });
    }

    /** Limited methods of each type. */
    public static class Orders {

        private final AtomicInteger bodies = new AtomicInteger();

        /** How often a body ran. */
        public AtomicInteger bodies() {
            return bodies;
        }

        @RateLimited(key = "#tenant")
        public Flowable<String> flowable(String tenant) {
            bodies.incrementAndGet();
            return Flowable.just("a", "b");
        }

        @RateLimited(key = "#tenant")
        public Observable<String> observable(String tenant) {
            bodies.incrementAndGet();
            return Observable.just("a", "b");
        }

        @RateLimited(key = "#tenant")
        public Single<String> single(String tenant) {
            bodies.incrementAndGet();
            return Single.just("a");
        }

        @RateLimited(key = "#tenant")
        public Maybe<String> maybe(String tenant) {
            bodies.incrementAndGet();
            return Maybe.just("a");
        }

        @RateLimited(key = "#tenant")
        public Maybe<String> empty(String tenant) {
            bodies.incrementAndGet();
            return Maybe.empty();
        }

        @RateLimited(key = "#tenant")
        public Completable completable(String tenant) {
            bodies.incrementAndGet();
            return Completable.complete();
        }

        @RateLimited(fallback = "instead")
        public Single<String> withFallback() {
            return Single.just("a");
        }

        Single<String> instead(RateLimitExceededException denied) {
            return Single.just("denied by " + denied.denied().limit());
        }

        @RateLimited(name = "hour", permits = 1, period = "1h", key = "'everyone'", maxWait = "1h")
        public Completable patient() {
            bodies.incrementAndGet();
            return Completable.complete();
        }
    }
}
