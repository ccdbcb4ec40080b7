/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Limits hold with AspectJ on the class path and without, whatever Boot is told about proxies. */
class ProxiesTests {

    @ParameterizedTest
    @CsvSource({
        "true, spring.aop.auto=true, AnnotationAwareAspectJAutoProxyCreator, true",
        "true, spring.aop.auto=false, InfrastructureAdvisorAutoProxyCreator, true",
        "true, spring.aop.proxy-target-class=false, AnnotationAwareAspectJAutoProxyCreator, false",
        "false, spring.aop.auto=true, InfrastructureAdvisorAutoProxyCreator, true",
        "false, spring.aop.auto=false, InfrastructureAdvisorAutoProxyCreator, true",
        "false, spring.aop.proxy-target-class=false, InfrastructureAdvisorAutoProxyCreator, false",
    })
    void limitsWhateverMakesTheProxies(boolean aspectJ, String property, String maker, boolean subclasses) {
        application(aspectJ).withPropertyValues(property).run(context -> {
            assertThat(context.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                            .getClass()
                            .getSimpleName())
                    .isEqualTo(maker);
            Orders byClass = context.getBean(Orders.class);
            assertThat(AopUtils.isCglibProxy(byClass)).isTrue();
            Gated.assertTwoCalls(byClass::create);

            Api byInterface = context.getBean(Api.class);
            assertThat(AopUtils.isCglibProxy(byInterface)).isEqualTo(subclasses);
            assertThat(AopUtils.isJdkDynamicProxy(byInterface)).isNotEqualTo(subclasses);
            Gated.assertTwoCalls(byInterface::call);
        });
    }

    @Test
    void standsWhereItsOrderSaysAmongAspects() {
        Gated.with(Beans.class, Aspects.class).run(context -> {
            List<String> seen = context.getBean(OuterAspect.class).seen;
            List<String> inner = context.getBean(InnerAspect.class).seen;
            Gated.assertTwoCalls(context.getBean(Orders.class)::create);
            assertThat(seen).hasSize(3);
            assertThat(inner).hasSize(2);
        });
    }

    private static ApplicationContextRunner application(boolean aspectJ) {
        ApplicationContextRunner application = Gated.with(Beans.class);
        return aspectJ ? application : application.withClassLoader(new FilteredClassLoader("org.aspectj"));
    }

    @Configuration(proxyBeanMethods = false)
    public static class Beans {
        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        Api api() {
            return new Implementation();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Aspects {
        @Bean
        OuterAspect outer() {
            return new OuterAspect();
        }

        @Bean
        InnerAspect inner() {
            return new InnerAspect();
        }
    }

    /** Public, because its proxy is defined in the class loader that lacks AspectJ. */
    public static class Orders {
        @RateLimited
        public void create() {}
    }

    /** An interface that states limits. */
    public interface Api {
        @RateLimited
        void call();
    }

    /** Its implementation. */
    public static class Implementation implements Api {
        @Override
        public void call() {}
    }

    @Aspect
    @Order(999)
    static class OuterAspect {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Around("execution(* *..Orders.create())")
        Object around(ProceedingJoinPoint call) throws Throwable {
            seen.add("outer");
            return call.proceed();
        }
    }

    @Aspect
    @Order(1001)
    static class InnerAspect {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Around("execution(* *..Orders.create())")
        Object around(ProceedingJoinPoint call) throws Throwable {
            seen.add("inner");
            return call.proceed();
        }
    }
}
