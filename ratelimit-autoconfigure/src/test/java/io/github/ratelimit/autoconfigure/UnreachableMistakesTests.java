/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.intercept.PackagePrivate;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A limit that no proxy can stand before stops the start: nothing goes unlimited silently. */
@ExtendWith(OutputCaptureExtension.class)
class UnreachableMistakesTests {

    private static final String LOCAL = "ratelimit: { store: local, defaults: { permits: 10 } }";

    @TempDir
    Path directory;

    @Test
    void refusesPrivateMethods(CapturedOutput output) {
        assertThat(said(output, PrivateMethod.class))
                .contains(
                        "@RateLimited on " + PrivateMethod.class.getName()
                                + ".call(): @RateLimited is on a private method, which no proxy can stand before: it would go unlimited.")
                .contains("Make the method public and not private, or move it to another bean.");
    }

    @Test
    void refusesStaticMethods(CapturedOutput output) {
        assertThat(said(output, StaticMethod.class))
                .contains("StaticMethod.call()")
                .contains("is on a static method, which no proxy can stand before: it would go unlimited.")
                .contains("Make the method public and not static, or move it to another bean.");
    }

    /** Nobody inherits it. */
    @Test
    void refusesStaticMethodsOfInterfaces(CapturedOutput output) {
        assertThat(said(output, StaticMethodAbove.class))
                .contains("WithStaticMethod.call()")
                .contains("is on a static method, which no proxy can stand before: it would go unlimited.");
    }

    @Test
    void refusesPrivateMethodsOfInterfaces(CapturedOutput output) {
        assertThat(said(output, PrivateMethodAbove.class))
                .contains("WithPrivateMethod.call()")
                .contains("is on a private method, which no proxy can stand before: it would go unlimited.");
    }

    @Test
    void refusesFinalMethods(CapturedOutput output) {
        assertThat(said(output, FinalMethod.class))
                .contains("FinalMethod.call()")
                .contains("is on a final method, which no proxy can stand before: it would go unlimited.")
                .contains("Make the method public and not final, or move it to another bean.");
    }

    @Test
    void refusesFinalMethodsOfALimitedClass(CapturedOutput output) {
        assertThat(said(output, FinalInLimitedClass.class))
                .contains("FinalInLimitedClass.call()")
                .contains("is on a final method, which no proxy can stand before: it would go unlimited.")
                .contains("Make the method public and not final, or move it to another bean.");
    }

    @Test
    void letsLimitedClassesPassWhereNothingGoesUnlimited() {
        try (var context = FailedStart.application(
                        directory,
                        LOCAL,
                        Map.of(),
                        RateLimitAutoConfiguration.class,
                        WithoutMethods.class,
                        LimitedOneByOne.class)
                .run()) {
            assertThat(context.getBean(LimitedOneByOne.class)).isNotNull();
        }
    }

    /** A limit on a class means its public methods: here it would mean nothing. */
    @ParameterizedTest
    @ValueSource(classes = {WithoutPublicMethods.class, InheritingItsLimit.class})
    void refusesLimitedClassesWithoutPublicMethods(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, bean))
                .contains("@RateLimited on " + bean.getName() + ": @RateLimited is on a class without public methods,"
                        + " and only these are limited by their class: all would go unlimited.")
                .contains("Make the methods public, or state the limit on each.");
    }

    @Test
    void refusesBeansThatWereMadeBeforeTheGate(CapturedOutput output) {
        assertThat(said(output, TooEarly.class))
                .contains("Plain.call()")
                .contains("is on bean 'plain', which was made before there was a gate")
                .contains("Let the container make the bean");
    }

    @Test
    void refusesOneThatWasMadeBeforeTheGateAmongOthersOfItsClass(CapturedOutput output) {
        assertThat(said(output, OneTooEarly.class))
                .contains("is on bean 'early', which was made before there was a gate");
    }

    @Test
    void refusesPackagePrivateMethodsOfAnotherPackage(CapturedOutput output) {
        assertThat(said(output, FromAnotherPackage.class))
                .contains("PackagePrivate.call()")
                .contains("is on a package-private method, which no proxy can stand before: it would go unlimited.")
                .contains("Make the method public and not package-private, or move it to another bean.");
    }

    @Test
    void leavesFinalClassesToSpring(CapturedOutput output) {
        assertThatThrownBy(() -> FailedStart.application(
                                directory, LOCAL, Map.of(), RateLimitAutoConfiguration.class, FinalClass.class)
                        .run())
                .hasStackTraceContaining("Could not generate CGLIB subclass of class " + FinalClass.class.getName());
    }

    @Test
    void refusesBeansThatWereHandedInReadyMade(CapturedOutput output) {
        FailedStart start = new FailedStart(directory, output);
        String said = start.with(
                LOCAL,
                application -> application.addInitializers(
                        context -> context.getBeanFactory().registerSingleton("readyMade", new Plain())),
                RateLimitAutoConfiguration.class);
        assertThat(said).contains("is on bean 'readyMade', which was made before there was a gate");
    }

    @Test
    void letsFinalMethodsPassThatAreExemptOrBehindAnInterface(CapturedOutput output) {
        SpringApplication application = FailedStart.application(
                directory, LOCAL, Map.of(), RateLimitAutoConfiguration.class, FinalAndExempt.class, FinalImpl.class);
        application.setDefaultProperties(Map.of(
                "spring.config.location",
                directory.resolve("application.yml").toUri().toString(),
                "spring.aop.proxy-target-class",
                "false"));
        try (var context = application.run()) {
            assertThat(context.getBean(Call.class)).isNotInstanceOf(FinalImpl.class);
        }
    }

    @Test
    void warnsOfFinalMethodsThatALimitedClassInherits(CapturedOutput output) {
        try (var context = FailedStart.application(
                        directory, LOCAL, Map.of(), RateLimitAutoConfiguration.class, InheritingFinal.class)
                .run()) {
            assertThat(context.isActive()).isTrue();
        }
        assertThat(output)
                .containsPattern("WARN.*InheritingFinal.call\\(\\) is final in a superclass and cannot be limited");
    }

    private String said(CapturedOutput output, Class<?> bean) {
        return new FailedStart(directory, output).inOneLine(LOCAL, RateLimitAutoConfiguration.class, bean);
    }

    static class PrivateMethod {
        @RateLimited
        @SuppressWarnings("UnusedMethod") // nobody can call it: that is the point
        private void call() {}
    }

    static class StaticMethod {
        @RateLimited
        public static void call() {}
    }

    interface WithStaticMethod {
        @RateLimited
        static void call() {}
    }

    interface BelowStaticMethod extends WithStaticMethod {}

    static class StaticMethodAbove implements BelowStaticMethod {}

    @SuppressWarnings("UnusedMethod") // it is there to be refused
    interface WithPrivateMethod {
        @RateLimited
        private void call() {}
    }

    static class PrivateMethodAbove implements WithPrivateMethod {}

    static class FinalMethod {
        @RateLimited
        public final void call() {}
    }

    @RateLimited
    static class FinalInLimitedClass {
        public final void call() {}
    }

    @RateLimited
    static class WithoutPublicMethods {
        void call() {}
    }

    @RateLimited
    abstract static class LimitedBase {}

    static class InheritingItsLimit extends LimitedBase {
        protected void call() {}
    }

    @RateLimited
    static class WithoutMethods {
        @Override
        public String toString() {
            return "nothing to limit";
        }
    }

    @RateLimited
    static class LimitedOneByOne {
        @RateLimited
        void call() {}
    }

    @RateLimited
    static class FinalAndExempt {
        @RateLimitExempt
        public final void free() {}
    }

    interface Call {
        void call();
    }

    static class FinalImpl implements Call {
        @Override
        @RateLimited
        public final void call() {}
    }

    static class WithFinal {
        public final void call() {}
    }

    @RateLimited
    static class InheritingFinal extends WithFinal {}

    static class Plain {
        @RateLimited
        public void call() {}
    }

    static class FromAnotherPackage extends PackagePrivate {}

    static final class FinalClass {
        @RateLimited
        public void call() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OneTooEarly {
        @Bean
        static Plain early() {
            return new Plain();
        }

        @Bean
        Plain inTime() {
            return new Plain();
        }

        @Bean
        static BeanFactoryPostProcessor needy(@Qualifier("early") Plain early) {
            return factory -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TooEarly {
        @Bean
        static Plain plain() {
            return new Plain();
        }

        @Bean
        static BeanFactoryPostProcessor needy(Plain plain) {
            return factory -> {};
        }
    }
}
