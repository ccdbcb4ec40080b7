/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.actuate.RateLimitsEndpoint;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitEndpointAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.metrics.LimitMeters;
import io.github.ratelimit.web.AnswerHeaders;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** An application that excludes the library's auto-configuration runs, with nothing of the library. */
class ExcludedLibraryTests {

    private static final AutoConfigurations OTHERS = AutoConfigurations.of(
            ServletRateLimitAutoConfiguration.class,
            ReactiveRateLimitAutoConfiguration.class,
            RateLimitMetricsAutoConfiguration.class,
            RateLimitEndpointAutoConfiguration.class);

    @ParameterizedTest
    @CsvSource({"SERVLET, false", "SERVLET, true", "REACTIVE, false"})
    void leavesNothingBehind(WebStack stack, boolean ownPort) throws Exception {
        runsUnlimited(
                stack,
                Excluding.class,
                "management.endpoints.web.exposure.include=*",
                ownPort ? "management.server.port=0" : "management.endpoints.web.base-path=/manage");
    }

    @ParameterizedTest
    @EnumSource
    void mayBeExcludedByAProperty(WebStack stack) throws Exception {
        runsUnlimited(
                stack,
                Usual.class,
                WebStack.WITHOUT_SECURITY + "," + RateLimitAutoConfiguration.class.getName(),
                "management.endpoints.web.exposure.include=*");
    }

    private static void runsUnlimited(WebStack stack, Class<?> application, String... properties) throws Exception {
        try (RunningApplication app = stack.start(application, properties)) {
            for (int i = 0; i < 3; i++) {
                RawAnswer answer = app.send("GET /value HTTP/1.1");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.limitHeaders()).isEmpty();
            }
            assertThat(app.context().getBeanProvider(MeterRegistry.class).stream())
                    .isNotEmpty();
            assertThat(Stream.of(app.context().getBeanDefinitionNames()))
                    .noneMatch(
                            name -> name.startsWith("rateLimit") || name.contains("io.github.ratelimit.autoconfigure"));
        }
    }

    /** A child that excludes it has the limits of its parent, and what the others add to these. */
    @Test
    void parentHasWhatAChildExcludes() {
        upper().run(parent -> {
            assertHasTheOthers(new WebApplicationContextRunner().withParent(parent));
            assertHasTheOthers(new ReactiveWebApplicationContextRunner().withParent(parent));
        });
        assertHasNone(new WebApplicationContextRunner());
        assertHasNone(new ReactiveWebApplicationContextRunner());
    }

    private static ApplicationContextRunner upper() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withPropertyValues("ratelimit.store=local");
    }

    private static <
                    R extends AbstractApplicationContextRunner<R, C, A>,
                    C extends ConfigurableApplicationContext,
                    A extends ApplicationContextAssertProvider<C>>
            R withOthers(R lower) {
        return lower.withConfiguration(OTHERS)
                .withBean(SimpleMeterRegistry.class)
                .withPropertyValues("management.endpoints.web.exposure.include=ratelimits");
    }

    private static <
                    R extends AbstractApplicationContextRunner<R, C, A>,
                    C extends ConfigurableApplicationContext,
                    A extends ApplicationContextAssertProvider<C>>
            void assertHasTheOthers(R lower) {
        withOthers(lower).run(context -> {
            for (Class<?> one : List.of(AnswerHeaders.class, LimitMeters.class, RateLimitsEndpoint.class)) {
                assertThat(context.getSourceApplicationContext().getBeanNamesForType(one))
                        .hasSize(1);
            }
        });
    }

    private static <
                    R extends AbstractApplicationContextRunner<R, C, A>,
                    C extends ConfigurableApplicationContext,
                    A extends ApplicationContextAssertProvider<C>>
            void assertHasNone(R alone) {
        withOthers(alone)
                .run(context -> assertThat(
                                Stream.of(context.getSourceApplicationContext().getBeanDefinitionNames()))
                        .noneMatch(name -> name.startsWith("rateLimit")));
    }

    @EnableAutoConfiguration(exclude = RateLimitAutoConfiguration.class)
    @Import(OneAnHour.class)
    static class Excluding {}

    @EnableAutoConfiguration
    @Import(OneAnHour.class)
    static class Usual {}
}
