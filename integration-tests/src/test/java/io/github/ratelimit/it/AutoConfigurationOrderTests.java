/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** Names nobody compiles: those of the auto-configurations ours come after, of which each Boot line has its own. */
class AutoConfigurationOrderTests {

    private static final List<String> BOTH =
            List.of("org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration");
    private static final List<String> BOOT_3 = List.of(
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration");
    private static final List<String> BOOT_4 = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration");

    @Test
    void namesWhatEitherLineHasAndNothingElse() {
        assertThat(names(RateLimitAutoConfiguration.class))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(BOTH, BOOT_3, BOOT_4).flatMap(List::stream).toList());
    }

    @Test
    void namesThisLineResolvesAreThoseOfThisLine() {
        List<String> own = SpringBootVersion.getVersion().startsWith("3.") ? BOOT_3 : BOOT_4;
        assertThat(names(RateLimitAutoConfiguration.class))
                .filteredOn(AutoConfigurationOrderTests::exists)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(BOTH, own).flatMap(List::stream).toList());
    }

    @Test
    void eachOfOursComesAfterWhatItNames() throws ClassNotFoundException {
        for (String ours : ours()) {
            Class<?> type = Class.forName(ours);
            for (String name : names(type).stream()
                    .filter(AutoConfigurationOrderTests::exists)
                    .toList()) {
                Class<?> before = Class.forName(name);
                assertThat(Configurations.getClasses(AutoConfigurations.of(type, before)))
                        .as("%s after %s", ours, name)
                        .containsSubsequence(before, type);
            }
        }
    }

    private static List<String> ours() {
        return ImportCandidates.load(AutoConfiguration.class, AutoConfigurationOrderTests.class.getClassLoader())
                .getCandidates()
                .stream()
                .filter(name -> name.startsWith("io.github.ratelimit."))
                .toList();
    }

    private static List<String> names(Class<?> autoConfiguration) {
        return Arrays.asList(
                autoConfiguration.getAnnotation(AutoConfiguration.class).afterName());
    }

    private static boolean exists(String name) {
        return ClassUtils.isPresent(name, AutoConfigurationOrderTests.class.getClassLoader());
    }
}
