/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/** Beans that are made in other ways than by calling a constructor of their class are limited, or the start is stopped. */
class UnusualBeansTests {

    @Test
    void limitsWhatABeanMethodReturns() {
        Gated.with(Methods.class).run(context -> {
            assertTwoCalls("service-call", context.getBean("ofAnInstance", Service.class)::call);
            assertTwoCalls("other-call", context.getBean("ofTheClass", Other.class)::call);
        });
    }

    @Test
    void passesOverWhatABeanMethodLeavesNull() {
        Gated.with(Absent.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void limitsWhatAFactoryBeanMakes() {
        Gated.with(Factory.class).run(context -> assertTwoCalls("service-call", context.getBean(Service.class)::call));
    }

    @Test
    void checksWhatAFactoryBeanMakesBeforeItIsMade() {
        Gated.with(MistakenFactory.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Mistaken.call()")
                        .hasMessageContaining("unknown variable '#nobody'"));
    }

    @Test
    void limitsAndChecksMethodsOfAFactoryBeanItself() {
        Gated.with(LimitedFactory.class)
                .run(context -> assertTwoCalls("limited-factory-call", context.getBean(LimitedFactory.class)::call));
        Gated.with(MisspeltFactory.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("MisspeltFactory.call()")
                        .hasMessageContaining("unknown variable '#nobody'"));
    }

    @Test
    void limitsRecordsBehindTheirInterfaces() {
        Gated.with(Greeting.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertTwoCalls("greeting-get", context.getBean(Supplier.class)::get));
    }

    @Test
    void leavesRecordsWithoutInterfacesToSpringWhichStopsTheStart() {
        Gated.with(Bare.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Could not generate CGLIB subclass of class " + Bare.class.getName()));
    }

    @Test
    void limitsMethodsOfConfigurationsAndOfThoseNestedInThem() {
        Gated.with(Outer.class).run(context -> {
            assertTwoCalls("outer-call", context.getBean(Outer.class)::call);
            assertTwoCalls("inner-call", context.getBean(Outer.Inner.class)::call);
            assertThat(context.getBean(Outer.Inner.class).first())
                    .isSameAs(context.getBean(Outer.Inner.class).first());
        });
    }

    @Test
    void limitsComponentsThatDeclareBeans() {
        Gated.with(Lite.class).run(context -> assertTwoCalls("lite-call", context.getBean(Lite.class)::call));
    }

    @Test
    void limitsGenericServicesByTheMethodThatIsCalled() {
        Gated.with(Texts.class).run(context -> {
            Handler<String> handler = context.getBean(Texts.class);
            assertTwoCalls("texts-handle", () -> handler.handle("acme"));
            assertTwoCalls("texts-handle", () -> handler.handle("umbrella"));
        });
    }

    static class Service {
        @RateLimited
        public void call() {}
    }

    static class Other {
        @RateLimited
        public void call() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Methods {
        @Bean
        Service ofAnInstance() {
            return new Service();
        }

        @Bean
        static Other ofTheClass() {
            return new Other();
        }
    }

    static class Absent {
        @Bean
        @Nullable
        Service none() {
            return null;
        }
    }

    static class Factory implements FactoryBean<Service> {
        @Override
        public Service getObject() {
            return new Service();
        }

        @Override
        public Class<?> getObjectType() {
            return Service.class;
        }
    }

    static class Mistaken {
        @RateLimited(key = "#nobody")
        public void call() {}
    }

    static class MistakenFactory implements FactoryBean<Mistaken> {
        @Override
        public Mistaken getObject() {
            return new Mistaken();
        }

        @Override
        public Class<?> getObjectType() {
            return Mistaken.class;
        }
    }

    static class LimitedFactory extends Factory {
        @RateLimited
        public void call() {}
    }

    static class MisspeltFactory extends Factory {
        @RateLimited(key = "#nobody")
        public void call() {}
    }

    record Greeting() implements Supplier<String> {
        @Override
        @RateLimited
        public String get() {
            return "hello";
        }
    }

    record Bare() {
        @RateLimited
        public void call() {}
    }

    @Configuration
    static class Outer {
        @RateLimited
        public void call() {}

        @Configuration
        static class Inner {
            @RateLimited
            public void call() {}

            @Bean
            public Object first() {
                return new Object();
            }
        }
    }

    @Component
    static class Lite {
        @RateLimited
        public void call() {}

        @Bean
        Object first() {
            return new Object();
        }
    }

    interface Handler<T> {
        void handle(T value);
    }

    static class Texts implements Handler<String> {
        @Override
        @RateLimited(key = "#value")
        public void handle(String value) {}
    }
}
