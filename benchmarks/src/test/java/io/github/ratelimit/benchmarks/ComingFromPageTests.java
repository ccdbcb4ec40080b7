/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.BandwidthBuilder;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RRateLimiter;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;

/** What {@code docs/coming-from.md} says of other libraries holds for the versions it names, as far as can be asked. */
class ComingFromPageTests {

    private static final String PAGE = read("coming-from.md");

    /** A name, with the arguments behind it or not. */
    private static final Pattern NAME = Pattern.compile("`(\\w+)(\\([^)]*\\))?`");

    /** The columns of the table, and where their words come from. */
    private static final List<List<Class<?>>> COLUMNS = List.of(
            List.of(
                    RateLimited.class,
                    io.github.ratelimit.RateLimitExceededException.class,
                    io.github.ratelimit.Decision.class,
                    RateLimiter.class),
            List.of(
                    BandwidthBuilder.BandwidthBuilderCapacityStage.class,
                    BandwidthBuilder.BandwidthBuilderRefillStage.class,
                    Bucket.class,
                    ProxyManager.class,
                    ConsumptionProbe.class),
            List.of(
                    RateLimiterConfig.Builder.class,
                    io.github.resilience4j.ratelimiter.RateLimiter.class,
                    io.github.resilience4j.ratelimiter.annotation.RateLimiter.class,
                    RequestNotPermitted.class),
            List.of(RRateLimiter.class),
            List.of(RedisRateLimiter.Config.class, KeyResolver.class),
            List.of(com.google.common.util.concurrent.RateLimiter.class));

    @ParameterizedTest
    @MethodSource("cells")
    void wordIsOneOfTheLibrary(String word, List<Class<?>> classes) {
        String setter = "set" + word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);

        assertThat(classes)
                .anyMatch(type -> type.getSimpleName().equals(word)
                        || (type != KeyResolver.class // asks for classes of Spring that are not here
                                && Arrays.stream(type.getMethods())
                                        .anyMatch(
                                                method -> List.of(word, setter).contains(method.getName()))));
    }

    @Test
    void versionsAreTheOnesMeasured() {
        String pom = read("../pom.xml");

        assertThat(PAGE)
                .contains("bucket4j " + version(pom, "bucket4j") + ",", "resilience4j " + version(pom, "resilience4j"))
                .contains("Redisson " + version(pom, "redisson") + ",", "Guava " + version(pom, "guava") + ".")
                .contains("Spring Cloud Gateway " + version(pom, "spring-cloud-gateway"));
    }

    @Test
    void defaultsAndClocksAreAsThePageSays() throws IOException {
        assertThat(RateLimiterConfig.ofDefaults().getTimeoutDuration()).isEqualTo(Duration.ofSeconds(5));
        try (InputStream script = Objects.requireNonNull(
                RedisRateLimiter.class.getResourceAsStream("/META-INF/scripts/request_rate_limiter.lua"))) {
            assertThat(new String(script.readAllBytes(), StandardCharsets.UTF_8))
                    .as("whole seconds, two keys, written whether allowed or not")
                    .contains("redis.call('TIME')[1]", "setex\", tokens_key", "setex\", timestamp_key")
                    .doesNotContain("if allowed then");
        }
    }

    private static String version(String pom, String library) {
        String mark = "<" + library + ".version>";
        String whole = pom.substring(pom.indexOf(mark) + mark.length());
        return whole.substring(0, whole.indexOf('.', whole.indexOf('.') + 1));
    }

    private static String read(String file) {
        try {
            return Files.readString(InProcess.PAGE.resolveSibling(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<Arguments> cells() {
        return PAGE.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| here"))
                .map(line -> line.split(" ?\\| ?", -1))
                .flatMap(cells -> Stream.iterate(0, column -> column < COLUMNS.size(), column -> column + 1)
                        .flatMap(column -> NAME.matcher(cells[column + 1])
                                .results()
                                .map(name -> name.group(1))
                                .filter(name -> !name.equals("false"))
                                .map(name -> Arguments.of(name, COLUMNS.get(column)))));
    }
}
