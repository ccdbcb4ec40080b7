/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.expression.Shop.Customer;
import io.github.ratelimit.expression.Shop.Order;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

class BeanCallOperandTests {

    private static final Order ORDER = new Order(new Customer("c", 7, true), 3);

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final CallExpressions expressions = new Written().expressions(beans);

    /** A bean behind a proxy. */
    public interface Tenants {

        String of(String id);
    }

    /** Methods of all kinds. */
    @SuppressWarnings("unused")
    public static class Helper {

        private static final AtomicInteger CREATED = new AtomicInteger();

        private final int number = CREATED.incrementAndGet();

        public String primitive(int value) {
            return "int " + value;
        }

        public String wide(long value) {
            return "long " + value;
        }

        public String two(String first, Object second) {
            return first + second;
        }

        public String overloaded(String value) {
            return "String";
        }

        public String overloaded(Object value) {
            return "Object";
        }

        public String many(String... values) {
            return Arrays.toString(values);
        }

        public String none() {
            return "none";
        }

        public static String ofClass(String value) {
            return "static " + value;
        }

        public String number() {
            return "number " + number;
        }
    }

    private String key(String source) {
        KeyExpression key = expressions.key(source, Written.method("order"));
        String first = key.keyOf(Written.call("order", "acme", ORDER));
        for (int i = 0; i < 100; i++) {
            assertThat(key.keyOf(Written.call("order", "acme", ORDER))).isEqualTo(first);
        }
        return first;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            quoteCharacter = '~',
            value = {
                "@helper.primitive(#order.size) = int 3",
                "@helper.primitive(5) = int 5",
                "@helper.wide(#order.size) = long 3",
                "@helper.two(#tenantId, 'x') = acmex",
                "@helper.two(#tenantId, #order.size + 1) = acme4",
                "@helper.two(null, #tenantId) = nullacme",
                "@helper.overloaded(#tenantId) = String",
                "@helper.overloaded(#order.size) = Object",
                "@helper.many(#tenantId, 'x') = \\[acme, x]",
                "@helper.many(#tenantId) = \\[acme]",
                "@helper.none() = none",
                "@helper.ofClass(#tenantId) = static acme",
                "@helper.none().length() = 4",
            })
    void callIsWhatSpelWouldDo(String source, String key) {
        beans.registerSingleton("helper", new Helper());

        assertThat(key(source.strip())).isEqualTo(key.strip());
    }

    @Test
    void methodOfAProxyIsCalledOnTheProxy() {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Tenants.class},
                (self, method, arguments) -> "proxied " + arguments[0]);
        beans.registerSingleton("tenants", proxy);

        assertThat(key("@tenants.of(#tenantId)")).isEqualTo("proxied acme");
    }

    @Test
    void beanIsCreatedAtTheFirstCallAndAPrototypeAtEveryCall() {
        int before = Helper.CREATED.get();
        RootBeanDefinition prototype = new RootBeanDefinition(Helper.class);
        prototype.setScope(RootBeanDefinition.SCOPE_PROTOTYPE);
        beans.registerBeanDefinition("each", prototype);
        beans.registerBeanDefinition("one", new RootBeanDefinition(Helper.class));
        KeyExpression each = expressions.key("@each.number()", Written.method("order"));
        KeyExpression one = expressions.key("@one.number()", Written.method("order"));
        Invocation call = Written.call("order", "acme", ORDER);

        assertThat(Helper.CREATED).hasValue(before);
        assertThat(one.keyOf(call)).isEqualTo(one.keyOf(call));
        assertThat(each.keyOf(call)).isNotEqualTo(each.keyOf(call));
    }

    @Test
    void beanThatCannotBeCreatedIsAnErrorOfTheCallUntilItCan() {
        AtomicInteger attempts = new AtomicInteger();
        RootBeanDefinition failing = new RootBeanDefinition(Helper.class, () -> {
            if (attempts.incrementAndGet() < 3) {
                throw new BeanCreationException("not yet");
            }
            return new Helper();
        });
        beans.registerBeanDefinition("helper", failing);
        KeyExpression key = expressions.key("@helper.none()", Written.method("order"));
        Invocation call = Written.call("order", "acme", ORDER);

        assertThatThrownBy(() -> key.keyOf(call))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key = \"@helper.none()\" failed")
                .hasStackTraceContaining("not yet");
        assertThat(key.keyOf(call)).isEqualTo("none");
    }

    @Test
    void methodThatABeanMadeLaterDoesNotHaveIsAnErrorOfTheCall() {
        beans.registerBeanDefinition("helper", new RootBeanDefinition(Helper.class));

        assertThatThrownBy(() -> key("@helper.nothing(#tenantId)"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key = \"@helper.nothing(#tenantId)\" failed")
                .hasStackTraceContaining("nothing(java.lang.String)");
    }
}
