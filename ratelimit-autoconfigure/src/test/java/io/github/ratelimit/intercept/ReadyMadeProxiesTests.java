/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertDenied;
import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

/** Proxies beside the container's own: limits hold once behind them, or the bean is refused. */
class ReadyMadeProxiesTests {

    @ParameterizedTest
    @ValueSource(classes = {OfABeanMethod.class, OfAFactory.class})
    void refusesThoseThatHideAClassWithLimits(Class<?> configuration) {
        Gated.with(configuration)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Limited.call()")
                        .hasStackTraceContaining(
                                "is on a class that bean 'hidden' hides behind a proxy of its interfaces"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lazy", "prototype"})
    void refusesThemWhenTheyAreMadeAfterTheStart(String name) {
        Gated.with(Later.class)
                .run(context -> assertThatThrownBy(() -> context.getBean(name))
                        .hasStackTraceContaining("bean '" + name + "' hides behind a proxy of its interfaces"));
    }

    @Test
    void limitsThemByTheirInterface() {
        Gated.with(LimitedInterface.class)
                .run(context -> assertTwoCalls("limited-api-call", context.getBean(LimitedApi.class)::call));
    }

    @Test
    void refusesThoseThatAreLimitedByTheirInterfaceInPart() {
        Gated.with(PartlyLimitedInterface.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("Partly.other()"));
    }

    @Test
    void limitsThemByABeanOfTheClassBehindThem() {
        Gated.with(OfABean.class)
                .run(context -> assertTwoCalls("limited-call", context.getBean("proxy", Api.class)::call));
    }

    @Test
    void limitsThemOnceWhereTheyStandForTheClass() {
        Gated.with(OfTheClass.class).run(context -> assertTwoCalls("limited-call", context.getBean(Api.class)::call));
    }

    @ParameterizedTest
    @ValueSource(classes = {OfTheClassWithFallback.class, OfTheInterfaceWithFallback.class})
    void fallBackOnTheObjectBehindThem(Class<?> configuration) {
        Gated.with(configuration)
                .withPropertyValues("ratelimit.defaults.permits=1")
                .run(context -> {
                    Prices prices = context.getBean(Prices.class);
                    assertThat(prices.today()).isEqualTo("today");
                    assertThat(prices.today()).isEqualTo("yesterday");
                });
    }

    @Test
    void leavesThoseOfAScopeToTheirTargets() {
        Gated.with(Scoped.class).run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void countsOnceWhereTwoMakeProxies(String bySubclass) {
        Gated.with(TwoMakers.class, Limited.class)
                .withPropertyValues("spring.aop.proxy-target-class=" + bySubclass)
                .run(context -> assertTwoCalls("limited-call", context.getBean(Api.class)::call));
    }

    /** One class of proxies, of which one has the gate itself and another has none. */
    @Test
    void looksAtEachOfSeveralProxiesOfOneClass() {
        Gated.with(LimitedInterface.class).run(context -> {
            RateLimitInterceptor gate = new RateLimitInterceptor(() -> context.getBean(LimitedMethods.class));
            LimitedApi gated = around(new Plain(), gate);
            LimitedApi ungated = around(new Plain());
            assertThat(gated).hasSameClassAs(ungated);

            around(ungated, gate).call();
            around(gated, gate).call();
            assertDenied("limited-api-call", around(ungated, gate)::call);
        });
    }

    private static LimitedApi around(LimitedApi target, Advice... advice) {
        ProxyFactory factory = new ProxyFactory(target);
        for (Advice each : advice) {
            factory.addAdvice(each);
        }
        return (LimitedApi) factory.getProxy();
    }

    interface Api {
        void call();
    }

    static class Limited implements Api {
        @Override
        @RateLimited
        public void call() {}
    }

    private static Api proxy(Object target) {
        return (Api) new ProxyFactory(target).getProxy();
    }

    @Configuration(proxyBeanMethods = false)
    static class OfABeanMethod {
        @Bean
        Api hidden() {
            return proxy(new Limited());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAFactory {
        @Bean
        ProxyFactoryBean hidden() {
            ProxyFactoryBean factory = new ProxyFactoryBean();
            factory.setTarget(new Limited());
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Later {
        @Bean
        @Lazy
        Api lazy() {
            return proxy(new Limited());
        }

        @Bean
        @Scope("prototype")
        Api prototype() {
            return proxy(new Limited());
        }
    }

    interface LimitedApi {
        @RateLimited
        void call();

        default void other() {}
    }

    static class Plain implements LimitedApi {
        @Override
        public void call() {}
    }

    static class Partly extends Plain {
        @Override
        @RateLimited
        public void other() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LimitedInterface {
        @Bean
        LimitedApi hidden() {
            return (LimitedApi) new ProxyFactory(new Plain()).getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PartlyLimitedInterface {
        @Bean
        LimitedApi hidden() {
            return (LimitedApi) new ProxyFactory(new Partly()).getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfABean {
        @Bean
        Limited limited() {
            return new Limited();
        }

        @Bean
        Api proxy(Limited limited) {
            return ReadyMadeProxiesTests.proxy(limited);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheClass {
        @Bean
        Api hidden() {
            ProxyFactory factory = new ProxyFactory(new Limited());
            factory.setProxyTargetClass(true);
            return (Api) Objects.requireNonNull(factory.getProxy());
        }
    }

    interface Prices {
        @RateLimited(fallback = "instead")
        String today();

        String instead();
    }

    @SuppressWarnings("UnusedMethod") // named by the annotation
    static class OwnPrices implements Prices {
        private final String known = List.of("yesterday").get(0);

        @Override
        @RateLimited(fallback = "remembered")
        public String today() {
            return "today";
        }

        @Override
        public String instead() {
            return "none";
        }

        private String remembered() {
            return known;
        }
    }

    static class StatedPrices implements Prices {
        private final String known = "yesterday";

        @Override
        public String today() {
            return "today";
        }

        @Override
        public String instead() {
            return known;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheClassWithFallback {
        @Bean
        Prices prices() {
            ProxyFactory factory = new ProxyFactory(new OwnPrices());
            factory.setProxyTargetClass(true);
            return (Prices) Objects.requireNonNull(factory.getProxy());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheInterfaceWithFallback {
        @Bean
        Prices prices() {
            return (Prices) new ProxyFactory(new StatedPrices()).getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
        Api scoped() {
            return new Limited();
        }
    }

    /** The application makes proxies of its own, for every advisor there is. */
    @Configuration(proxyBeanMethods = false)
    static class TwoMakers {
        @Bean
        static DefaultAdvisorAutoProxyCreator another() {
            return new DefaultAdvisorAutoProxyCreator();
        }
    }
}
