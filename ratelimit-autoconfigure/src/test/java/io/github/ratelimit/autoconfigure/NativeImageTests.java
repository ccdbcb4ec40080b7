/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.javapoet.ClassName;

/** What is done by name is told to native images, in applications of both stacks that were processed ahead of time. */
class NativeImageTests {

    @Test
    void ofWebFlux() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedisAutoConfiguration.class,
                        HttpHandlerAutoConfiguration.class,
                        WebFluxAutoConfiguration.class,
                        RateLimitAutoConfiguration.class,
                        ReactiveRateLimitAutoConfiguration.class))
                .prepare(context -> {
                    RuntimeHints hints = hints(context.getSourceApplicationContext());
                    checkRedis(hints);
                    String room = "io.github.ratelimit.web.reactive.";
                    assertThat(type(hints, room + "FailingMethod$Failure").methods())
                            .extracting(ExecutableHint::getName)
                            .contains("fail");
                    assertThat(type(hints, room + "UnhandledMethod$Rethrow").getMemberCategories())
                            .isNotEmpty();
                    type(hints, "reactor.netty.http.server.HttpServerRequest");
                    type(hints, "reactor.netty.http.server.HttpServerResponse");
                });
    }

    @Test
    void ofSpringMvc() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedisAutoConfiguration.class,
                        HttpMessageConvertersAutoConfiguration.class,
                        DispatcherServletAutoConfiguration.class,
                        WebMvcAutoConfiguration.class,
                        RateLimitAutoConfiguration.class,
                        ServletRateLimitAutoConfiguration.class))
                .prepare(context -> {
                    RuntimeHints hints = hints(context.getSourceApplicationContext());
                    checkRedis(hints);
                    type(hints, "org.apache.catalina.connector.ClientAbortException");
                });
    }

    private static void checkRedis(RuntimeHints hints) {
        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/ratelimit/redis/acquire.lua"))
                .accepts(hints);
        assertThat(type(hints, LettuceConnectionFactory.class.getName()).fields())
                .extracting(FieldHint::getName)
                .contains("configuration");
    }

    private static TypeHint type(RuntimeHints hints, String name) {
        TypeHint hint = hints.reflection().getTypeHint(TypeReference.of(name));
        assertThat(hint).as(name).isNotNull();
        return hint;
    }

    private static RuntimeHints hints(ApplicationContext context) {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(NativeImageTests.class)), new InMemoryGeneratedFiles());
        new ApplicationContextAotGenerator().processAheadOfTime((GenericApplicationContext) context, generation);
        return generation.getRuntimeHints();
    }
}
