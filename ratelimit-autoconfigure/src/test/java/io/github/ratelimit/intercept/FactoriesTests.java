/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.annotation.RateLimited;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** A factory and what it makes are two beans of one name; and what a class is may be known only once it is made. */
@ExtendWith(OutputCaptureExtension.class)
class FactoriesTests {

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void limitsAFactoryAndWhatItMakes(String bySubclass, CapturedOutput output) {
        Gated.with(BothLimited.class)
                .withPropertyValues("spring.aop.proxy-target-class=" + bySubclass)
                .run(context -> {
                    assertThat(output)
                            .contains("BothLimited.call() is limited by 'both-limited-call'")
                            .contains("Greeter.greet() is limited by 'greeter-greet'");
                    assertTwoCalls("both-limited-call", context.getBean(Call.class)::call);
                    assertTwoCalls("greeter-greet", context.getBean(Greeter.class)::greet);
                });
    }

    @Test
    void checksWhatALimitedFactoryMakes() {
        Gated.with(LimitedFactoryOfMistaken.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Mistaken.greet()")
                        .hasMessageContaining("unknown variable '#nobody'"));
    }

    @Test
    void checksAFactoryThatNoProxyStandsBefore() {
        Gated.with(PrivateFactory.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("PrivateFactory.own()")
                        .hasMessageContaining("is on a private method"));
    }

    @Test
    void refusesWhatAFactoryMadeBeforeTheGate() {
        Gated.with(TooEarly.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("is on bean 'early', which was made before there was a gate"));
    }

    @Test
    void letsWhatAnEarlyFactoryMakesLaterPass() {
        Gated.with(EarlyFactory.class)
                .run(context -> assertTwoCalls("greeter-greet", context.getBean(Greeter.class)::greet));
    }

    @Test
    void checksWhatIsMadeWhileStartingThoughItsFactoryPromisesLess() {
        Gated.with(Vague.class, Needy.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("unknown variable '#nobody'"));
        Gated.with(Hiding.class, Needy.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Hidden.greet()")
                        .hasMessageContaining("is on a private method"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ofAFactory", "lazy", "prototype"})
    void checksWhatIsMadeAfterTheStartEachTimeUntilItWorks(String name) {
        Gated.with(Vague.class, Later.class).run(context -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> context.getBean(name))
                        .hasStackTraceContaining("Mistaken.greet()")
                        .hasStackTraceContaining("unknown variable '#nobody'");
            }
        });
    }

    @Test
    void refusesPrivateMethodsOfWhatIsMadeAfterTheStart() {
        Gated.with(Later.class)
                .run(context -> assertThatThrownBy(() -> context.getBean("hidden"))
                        .hasStackTraceContaining("Hidden.greet()")
                        .hasStackTraceContaining("is on a private method, which no proxy can stand before"));
    }

    @Test
    void tellsWhatIsLimitedOnceItIsMade(CapturedOutput output) {
        Gated.with(Later.class).run(context -> {
            assertThat(output).doesNotContain("Fine.get() is limited by");
            for (int i = 0; i < 2; i++) {
                context.getBean("fine", Supplier.class);
            }
            assertThat(output).containsOnlyOnce("Fine.get() is limited by 'fine-get'");
        });
    }

    interface Call {
        void call();
    }

    interface Greeter {
        @RateLimited
        void greet();
    }

    static class Plain implements Greeter {
        @Override
        public void greet() {}
    }

    static class BothLimited implements FactoryBean<Greeter>, Call {
        @Override
        @RateLimited
        public void call() {}

        @Override
        public Greeter getObject() {
            return new Plain();
        }

        @Override
        public Class<?> getObjectType() {
            return Greeter.class;
        }
    }

    static class Mistaken implements Runnable {
        @RateLimited(key = "#nobody")
        public void greet() {}

        @Override
        public void run() {}
    }

    static class LimitedFactoryOfMistaken extends Promise<Runnable> {
        LimitedFactoryOfMistaken() {
            super(Mistaken::new, Mistaken.class);
        }

        @RateLimited
        public void call() {}
    }

    static class PrivateFactory extends Promise<Runnable> {
        PrivateFactory() {
            super(() -> () -> {}, Runnable.class);
        }

        @RateLimited
        @SuppressWarnings("UnusedMethod") // nobody can call it: that is the point
        private void own() {}
    }

    /** The container is built from what a factory makes. */
    @Configuration(proxyBeanMethods = false)
    static class TooEarly {
        @Bean
        static UnlimitedFactory early() {
            return new UnlimitedFactory();
        }

        @Bean
        static BeanFactoryPostProcessor needy(Greeter greeter) {
            return factory -> {};
        }
    }

    /** The container is built from the factory alone. */
    @Configuration(proxyBeanMethods = false)
    static class EarlyFactory {
        @Bean
        static UnlimitedFactory early() {
            return new UnlimitedFactory();
        }

        @Bean
        static BeanFactoryPostProcessor needy(UnlimitedFactory factory) {
            return beans -> {};
        }
    }

    static class UnlimitedFactory extends Promise<Greeter> {
        UnlimitedFactory() {
            super(Plain::new, Greeter.class);
        }
    }

    /** Says what it makes, or promises no more than an interface. */
    static class Promise<T> implements FactoryBean<T> {

        private final Supplier<T> made;
        private final Class<?> promised;

        Promise(Supplier<T> made, Class<?> promised) {
            this.made = made;
            this.promised = promised;
        }

        @Override
        public T getObject() {
            return made.get();
        }

        @Override
        public Class<?> getObjectType() {
            return promised;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Vague {
        @Bean
        FactoryBean<Runnable> ofAFactory() {
            return new Promise<>(Mistaken::new, Runnable.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Hiding {
        @Bean
        FactoryBean<Runnable> ofAFactory() {
            return new Promise<>(Hidden::new, Runnable.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Needy {
        @Bean
        Object needs(Runnable runnable) {
            return new Object();
        }
    }

    static class Hidden implements Runnable {
        @RateLimited
        @SuppressWarnings("UnusedMethod") // nobody can call it: that is the point
        private void greet() {}

        @Override
        public void run() {}
    }

    static class Fine implements Supplier<String> {
        @Override
        @RateLimited
        public String get() {
            return "fine";
        }
    }

    /** Beans that nobody makes at start, behind interfaces. */
    @Configuration(proxyBeanMethods = false)
    static class Later {
        @Bean
        @Lazy
        Runnable lazy() {
            return new Mistaken();
        }

        @Bean
        @Scope("prototype")
        Runnable prototype() {
            return new Mistaken();
        }

        @Bean
        @Lazy
        Runnable hidden() {
            return new Hidden();
        }

        @Bean
        @Scope("prototype")
        Supplier<String> fine() {
            return new Fine();
        }
    }
}
