/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Who keeps the counters, and what is said when nobody can. */
@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTests {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class));

    @TempDir
    Path directory;

    @Test
    void tellsThatRedisIsWantedAndThereIsNoWayToIt(CapturedOutput output) {
        assertThat(new FailedStart(directory, output).with("spring: {}", RateLimitAutoConfiguration.class))
                .contains("ratelimit.store = redis, and the application has no Redis connection factory.")
                .contains("Add spring-boot-starter-data-redis and set spring.data.redis.*")
                .contains("ratelimit.store: local")
                .contains("ratelimit.enabled: false");
    }

    @Test
    void tellsThatThereAreSeveralWaysToRedis(CapturedOutput output) {
        assertThat(new FailedStart(directory, output)
                        .with("spring: {}", RateLimitAutoConfiguration.class, TwoFactories.class))
                .contains("the application has 2 Redis connection factories, none of them primary: first, second.")
                .contains("Mark the one that is to count with @Primary");
    }

    @Test
    void takesThePrimaryOfSeveralFactories() {
        application
                .withUserConfiguration(TwoFactories.class, PrimaryFactory.class)
                .run(context -> assertThat(context).hasNotFailed().hasBean("rateLimitStore"));
    }

    @Test
    void saysTheSameWithoutSpringDataRedis() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(MissingStoreException.class)
                        .hasMessageContaining("0 Redis connection factories"));
    }

    @Test
    void countsInThisJvmWithoutSpringDataRedis() {
        application
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.data.redis", "io.lettuce", "redis.clients"))
                .withPropertyValues("ratelimit.store=local")
                .run(context -> assertThat(context).hasSingleBean(RateLimitStore.class));
    }

    @Test
    void stepsBackForAStoreOfTheApplication() {
        application
                .withBean("mine", LocalRateLimitStore.class, () -> new LocalRateLimitStore(7))
                .run(context ->
                        assertThat(context).getBean(RateLimitStore.class).isSameAs(context.getBean("mine")));
    }

    @Test
    void warnsOnceOfANamelessApplicationOnRedis(CapturedOutput output) {
        application
                .withUserConfiguration(PrimaryFactory.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce("The application has no name");
        application
                .withUserConfiguration(PrimaryFactory.class)
                .withPropertyValues("ratelimit.key-prefix=shared:")
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withUserConfiguration(PrimaryFactory.class)
                .withPropertyValues("spring.application.name=shop")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce("The application has no name");
    }

    /** The default, written out. */
    @Test
    void warnsOfANamelessApplicationThatAsksForItsName(CapturedOutput output) {
        application
                .withUserConfiguration(PrimaryFactory.class)
                .withPropertyValues("ratelimit.key-prefix=ratelimit:${spring.application.name:}")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce("The application has no name");
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoFactories {
        @Bean
        LettuceConnectionFactory first() {
            return unconnected();
        }

        @Bean
        LettuceConnectionFactory second() {
            return unconnected();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryFactory {
        @Bean
        @Primary
        RedisConnectionFactory third() {
            return unconnected();
        }
    }

    /** Nobody listens there; a connection is opened when first used. */
    private static LettuceConnectionFactory unconnected() {
        return new LettuceConnectionFactory("localhost", 1);
    }
}
