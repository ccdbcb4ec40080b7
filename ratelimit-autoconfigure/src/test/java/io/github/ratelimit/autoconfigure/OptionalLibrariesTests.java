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
import io.github.ratelimit.intercept.LimitedBeans;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
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

    /** Parts of the wiring, whose classes nobody else can name, cannot be replaced; the checker knows one context only. */
    @Test
    void everyBeanStepsBackForOneOfTheApplication() {
        Map<String, Object> ours = new TreeMap<>();
        application.run(context -> Arrays.stream(context.getBeanDefinitionNames())
                .filter(name -> name.startsWith("rateLimit"))
                .filter(name -> !context.getBean(name)
                        .getClass()
                        .getPackage()
                        .equals(getClass().getPackage()))
                .filter(name -> !(context.getBean(name) instanceof LimitedBeans))
                .forEach(name -> ours.put(name, context.getBean(name))));
        assertThat(ours)
                .containsKeys(
                        "rateLimitRateLimiter",
                        "rateLimitReactiveRateLimiter",
                        "rateLimitStore",
                        "rateLimitCatalog",
                        "rateLimitAdvisor");
        ours.forEach((name, bean) -> assertStepsBack(name, bean.getClass(), bean));
    }

    private <T> void assertStepsBack(String name, Class<T> type, Object bean) {
        application
                .withBean("mine", type, () -> type.cast(bean), mine -> mine.setRole(BeanDefinition.ROLE_INFRASTRUCTURE))
                .run(context -> assertThat(context)
                        .as(name)
                        .hasNotFailed()
                        .doesNotHaveBean(name)
                        .getBean(type)
                        .isSameAs(bean));
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
