/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Objects that a {@link BeanPostProcessor} puts in the place of limited beans: the gate is behind them, or they are refused. */
class BeansReplacedEarlyTests {

    @ParameterizedTest
    @ValueSource(classes = {BeforeInitialization.class, ByDelegates.class, AheadOfOthers.class})
    void areRefusedWhereTheyHideLimits(Class<?> processor) {
        Gated.with(OfABeanMethod.class, processor)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Limited.call()")
                        .hasStackTraceContaining("is on a class that a BeanPostProcessor has put another object in the"
                                + " place of, bean 'api'"));
    }

    @Test
    void areRefusedWhenTheyAreMadeAfterTheStart() {
        Gated.with(Later.class, BeforeInitialization.class)
                .run(context -> assertThatThrownBy(() -> context.getBean(Api.class))
                        .hasStackTraceContaining("put another object in the place of, bean 'later'"));
    }

    @Test
    void areLimitedWhereTheGateIsBehindThem() {
        Gated.with(OfABeanMethod.class, BehindOthers.class)
                .run(context -> assertTwoCalls("limited-call", context.getBean(Api.class)::call));
    }

    @Test
    void areLimitedByTheirInterface() {
        Gated.with(ByInterface.class, BeforeInitialization.class)
                .run(context -> assertTwoCalls("limited-api-call", context.getBean(LimitedApi.class)::call));
    }

    @Test
    void areLeftAloneWhereNothingIsLimited() {
        Gated.with(Unlimited.class, BeforeInitialization.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    interface Api {
        void call();
    }

    static class Limited implements Api {
        @Override
        @RateLimited
        public void call() {}
    }

    interface LimitedApi extends Api {
        @Override
        @RateLimited
        void call();
    }

    static class Implementation implements LimitedApi {
        @Override
        public void call() {}
    }

    record Delegate(Api behind) implements Api {
        @Override
        public void call() {
            behind.call();
        }
    }

    private static Object proxy(Object bean) {
        if (!(bean instanceof Api)) {
            return bean;
        }
        Class<?>[] interfaces =
                bean instanceof LimitedApi ? new Class<?>[] {LimitedApi.class} : new Class<?>[] {Api.class};
        return Proxy.newProxyInstance(
                Api.class.getClassLoader(), interfaces, (self, method, arguments) -> method.invoke(bean, arguments));
    }

    static class BeforeInitialization implements BeanPostProcessor {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return proxy(bean);
        }
    }

    static class ByDelegates implements BeanPostProcessor {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return bean instanceof Api api ? new Delegate(api) : bean;
        }
    }

    static class AheadOfOthers implements BeanPostProcessor, PriorityOrdered {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return proxy(bean);
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }
    }

    static class BehindOthers implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Api api ? new Delegate(api) : bean;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfABeanMethod {
        @Bean
        Api api() {
            return new Limited();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Later {
        @Bean
        @Lazy
        Api later() {
            return new Limited();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByInterface {
        @Bean
        LimitedApi api() {
            return new Implementation();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unlimited {
        @Bean
        Api unlimited() {
            return new Delegate(() -> {});
        }
    }
}
