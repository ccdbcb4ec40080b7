/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

/** What expressions of annotations read is told to native images, wherever they are stated. */
class AnnotationHintsTests {

    @Test
    void namesAreThoseOfTheInterfaceThatStatesAndTypesThoseOfWhatImplementsIt() {
        RuntimeHints hints = hintsFor(Shop.class);

        assertThat(invoked(hints, Order.class)).contains("customer");
        assertThat(invoked(hints, Customer.class)).contains("id");
    }

    @Test
    void aFallbackThatIsToldAtStartTakesNoExpressionAlong() {
        assertThat(invoked(hintsFor(ToldAtStart.class), Order.class)).contains("customer");
    }

    private static RuntimeHints hintsFor(Class<?> bean) {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(AnnotationHintsTests.class)), new InMemoryGeneratedFiles());
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withPropertyValues("ratelimit.store=local")
                .withBean(bean)
                .prepare(context -> new ApplicationContextAotGenerator()
                        .processAheadOfTime(
                                (GenericApplicationContext) context.getSourceApplicationContext(), generation));
        return generation.getRuntimeHints();
    }

    private static List<String> invoked(RuntimeHints hints, Class<?> type) {
        TypeHint hint = hints.reflection().getTypeHint(type);
        return hint == null
                ? List.of()
                : hint.methods().map(ExecutableHint::getName).toList();
    }

    interface Buying<T> {
        @RateLimited(name = "orders", permits = 9, period = "1h", key = "#order.customer.id")
        void buy(T order);
    }

    static class Shop implements Buying<Order> {
        @Override
        public void buy(Order bought) {}
    }

    static class ToldAtStart {
        @RateLimited(permits = 1, period = "1h", key = "#order.customer", fallback = "${told-at-start}")
        public void pay(Order order) {}
    }

    record Order(Customer customer) {}

    record Customer(String id) {}
}
