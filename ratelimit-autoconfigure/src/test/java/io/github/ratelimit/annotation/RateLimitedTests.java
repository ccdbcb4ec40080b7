/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.annotation;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationConfigurationException;

class RateLimitedTests {

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    @RateLimited(name = "per-tenant", maxWait = "2s")
    @interface PerTenant {

        @AliasFor(annotation = RateLimited.class, attribute = "key")
        String by();

        @AliasFor(annotation = RateLimited.class)
        long permits() default 10;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @RateLimits({@RateLimited("inner"), @RateLimited("outer")})
    @interface Both {}

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @RateLimitExempt
    @interface Probe {}

    @RateLimited("api")
    static class Limited {}

    static class Child extends Limited {}

    @RateLimited("one")
    @RateLimited("two")
    static class LimitedTwice {}

    static class ChildOfTwice extends LimitedTwice {}

    @SuppressWarnings("unused")
    static class Service {

        @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
        void example(String tenantId) {}

        @RateLimited("orders")
        void named() {}

        @RateLimited(name = "a", value = "b")
        void twoNames() {}

        @RateLimited(name = "second", permits = 5, period = "1s", onStoreFailure = FailurePolicy.DENY)
        @RateLimited(name = "minute", permits = 50, period = "1m", burst = 60)
        void repeated() {}

        @PerTenant(by = "#id")
        void composed(String id) {}

        @Both
        void composedOfTwo() {}

        @Probe
        void probe() {}
    }

    @Test
    void exampleOfTheContractStatesWhatItStates() {
        RateLimited limited = only(method("example"));

        assertThat(limited.algorithm()).containsExactly(Algorithm.TOKEN_BUCKET);
        assertThat(limited.key()).isEqualTo("#tenantId");
    }

    @Test
    void whatIsNotStatedIsEmpty() {
        RateLimited limited = only(method("named"));

        assertThat(limited.algorithm()).isEmpty();
        assertThat(limited.onStoreFailure()).isEmpty();
        assertThat(limited.permits()).isEqualTo(-1);
        assertThat(limited.burst()).isEqualTo(-1);
        assertThat(limited.cost()).isEqualTo("1");
        assertThat(new String[] {
                    limited.period(),
                    limited.key(),
                    limited.condition(),
                    limited.plan(),
                    limited.maxWait(),
                    limited.penalty(),
                    limited.fallback()
                })
                .containsOnly("");
    }

    @Test
    void nameAndValueAreOne() {
        assertThat(only(method("named")).name()).isEqualTo("orders");
        assertThat(only(method("named")).value()).isEqualTo("orders");
        assertThatThrownBy(() -> only(method("twoNames"))).isInstanceOf(AnnotationConfigurationException.class);
    }

    @Test
    void repeatedLimitsKeepTheirOrder() {
        assertThat(all(method("repeated"))).extracting(RateLimited::name).containsExactly("second", "minute");
    }

    @Test
    void composedAnnotationPassesItsAttributesOn() {
        RateLimited limited = only(method("composed"));

        assertThat(limited.name()).isEqualTo("per-tenant");
        assertThat(limited.key()).isEqualTo("#id");
        assertThat(limited.permits()).isEqualTo(10);
        assertThat(limited.maxWait()).isEqualTo("2s");
        assertThat(all(method("composedOfTwo"))).extracting(RateLimited::name).containsExactly("inner", "outer");
    }

    @Test
    void subclassesInherit() {
        assertThat(only(Child.class).name()).isEqualTo("api");
        assertThat(all(ChildOfTwice.class)).extracting(RateLimited::name).containsExactly("one", "two");
    }

    @Test
    void exemptionMayBeComposed() {
        assertThat(AnnotatedElementUtils.hasAnnotation(method("probe"), RateLimitExempt.class))
                .isTrue();
    }

    private static RateLimited only(AnnotatedElement element) {
        Set<RateLimited> all = all(element);
        assertThat(all).hasSize(1);
        return all.iterator().next();
    }

    private static Set<RateLimited> all(AnnotatedElement element) {
        return AnnotatedElementUtils.getMergedRepeatableAnnotations(element, RateLimited.class);
    }

    private static Method method(String name) {
        return Arrays.stream(Service.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
