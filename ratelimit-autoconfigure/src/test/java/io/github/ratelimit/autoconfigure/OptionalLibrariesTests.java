/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.limiter.UncountedRateLimiter;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Each optional library may be absent; and what the library adds to an application's beans. */
class OptionalLibrariesTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
            .withUserConfiguration(Orders.class)
            .withPropertyValues(
                    "ratelimit.store=local", "ratelimit.defaults.permits=2", "ratelimit.defaults.period=1h");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.data.redis",
                "io.lettuce",
                "redis.clients",
                "reactor",
                "io.micrometer.core",
                "io.micrometer.context",
                "jakarta.servlet",
                "org.springframework.web",
                "org.springframework.boot.actuate",
                "kotlin",
                "kotlinx",
            })
    void limitsWithout(String library) {
        application.withClassLoader(new FilteredClassLoader(library)).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(RateLimiter.class);
            Orders orders = context.getBean(Orders.class);
            orders.create();
            orders.create();
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::create);
        });
    }

    @Test
    void hasNoReactiveLimiterWithoutReactor() {
        application.run(context -> assertThat(context).hasBean("rateLimitReactiveRateLimiter"));
        application
                .withClassLoader(new FilteredClassLoader("reactor"))
                .run(context -> assertThat(context).doesNotHaveBean("rateLimitReactiveRateLimiter"));
    }

    @Test
    void namesAllItsBeansAlike() {
        application.run(context -> {
            Stream<String> ours = Arrays.stream(context.getBeanDefinitionNames())
                    .filter(name -> {
                        BeanDefinition definition = context.getBeanFactory().getBeanDefinition(name);
                        return definition.getFactoryMethodName() != null
                                && String.valueOf(definition.getResourceDescription())
                                        .replace('/', '.')
                                        .contains(RateLimitAutoConfiguration.class.getPackageName());
                    });
            assertThat(ours).isNotEmpty().allMatch(name -> name.startsWith("rateLimit"));
        });
    }

    @Test
    void stepsBackForBeansOfTheApplication() {
        RateLimiter mine = new UncountedRateLimiter();
        application
                .withBean("mine", RateLimiter.class, () -> mine)
                .run(context -> assertThat(context).getBean(RateLimiter.class).isSameAs(mine));
    }

    @Test
    void ordersItselfAfterClassesThatExistOnABootLine() {
        String[] after = RateLimitAutoConfiguration.class
                .getAnnotation(AutoConfiguration.class)
                .afterName();
        String boot4 = "org.springframework.boot.data.redis.autoconfigure.";
        assertThat(after)
                .contains(boot4 + "DataRedisAutoConfiguration", boot4 + "DataRedisReactiveAutoConfiguration")
                .filteredOn(name -> !name.startsWith(boot4))
                .isNotEmpty()
                .allMatch(name -> ClassUtils.isPresent(name, getClass().getClassLoader()));
    }

    @Test
    void keepsItsBeanMethodsToItself() {
        assertThat(RateLimitAutoConfiguration.class.getModifiers()).is(new Condition<>(Modifier::isFinal, "final"));
        assertThat(RateLimitAutoConfiguration.class.getDeclaredMethods())
                .filteredOn(method -> method.isAnnotationPresent(Bean.class))
                .isNotEmpty()
                .noneMatch(method -> Modifier.isPublic(method.getModifiers()));
    }

    /** Public, because its proxy is defined in the class loader that lacks the library. */
    public static class Orders {
        @RateLimited
        public void create() {}
    }
}
