/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.expression.Caller;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.javapoet.ClassName;
import redis.clients.jedis.UnifiedJedis;

/** What is done by name is told to native images, in applications of both stacks that were processed ahead of time. */
class NativeImageTests {

    @Test
    void ofWebFlux() {
        new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(Application.class)
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
                .withUserConfiguration(Application.class)
                .prepare(context -> {
                    RuntimeHints hints = hints(context.getSourceApplicationContext());
                    checkRedis(hints);
                    type(hints, "org.apache.catalina.connector.ClientAbortException");
                });
    }

    @Test
    void ofFallbacks() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("ratelimit.store=local", "fallback=elsewhere")
                .withBean("other", Other.class)
                .withBean(Limited.class)
                .prepare(context -> {
                    RuntimeHints hints = hints(context.getSourceApplicationContext());
                    assertThat(type(hints, Limited.class.getName()).methods())
                            .extracting(method -> method.getName() + method.getParameterTypes() + method.getMode())
                            .contains("instead[java.lang.String, io.github.ratelimit.RateLimitExceededException]INVOKE")
                            .doesNotContain("instead[java.lang.String]INVOKE");
                    assertThat(type(hints, Other.class.getName()).methods())
                            .extracting(method -> method.getName() + method.getMode())
                            .contains("elsewhereINVOKE");
                });
    }

    @Test
    void ofExpressions() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("ratelimit.store=local")
                .withBean("accounts", Accounts.class)
                .withBean(Asking.class)
                .prepare(context -> {
                    RuntimeHints hints = hints(context.getSourceApplicationContext());
                    assertThat(invoked(hints, Order.class)).contains("customer");
                    assertThat(invoked(hints, Customer.class)).contains("getId");
                    assertThat(type(hints, Customer.class.getName()).fields())
                            .extracting(FieldHint::getName)
                            .contains("internal");
                    assertThat(invoked(hints, Accounts.class))
                            .contains("planOf")
                            .doesNotContain("neverAsked");
                    assertThat(invoked(hints, List.class)).contains("size");
                    assertThat(invoked(hints, Caller.class)).contains("address", "header");
                });
    }

    private static Stream<String> invoked(RuntimeHints hints, Class<?> type) {
        return type(hints, type.getName()).methods().map(ExecutableHint::getName);
    }

    private static void checkRedis(RuntimeHints hints) throws Exception {
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/github/ratelimit/redis/*.lua");
        assertThat(scripts)
                .hasSizeGreaterThan(10)
                .allSatisfy(script -> assertThat(RuntimeHintsPredicates.resource()
                                .forResource("io/github/ratelimit/redis/" + script.getFilename()))
                        .accepts(hints));
        assertThat(RuntimeHintsPredicates.reflection().onType(LettuceConnectionFactory.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Caller.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .as("rules for paths ask it")
                .accepts(hints);
        assertThat(type(hints, LettuceConnectionFactory.class.getName()).fields())
                .extracting(FieldHint::getName)
                .contains("configuration");
        assertThat(type(hints, UnifiedJedis.class.getName()).fields())
                .extracting(FieldHint::getName)
                .contains("provider");
    }

    private static TypeHint type(RuntimeHints hints, String name) {
        TypeHint hint = hints.reflection().getTypeHint(TypeReference.of(name));
        assertThat(hint).as(name).isNotNull();
        return Objects.requireNonNull(hint);
    }

    private static RuntimeHints hints(ApplicationContext context) {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(NativeImageTests.class)), new InMemoryGeneratedFiles());
        new ApplicationContextAotGenerator().processAheadOfTime((GenericApplicationContext) context, generation);
        return generation.getRuntimeHints();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    static class Limited {

        @RateLimited(permits = 1, period = "1h", fallback = "instead")
        public String one(String text) {
            return text;
        }

        @RateLimited(permits = 1, period = "1h", fallback = "other::${fallback}")
        public String two(String text) {
            return text;
        }

        @RateLimited(permits = 1, period = "1h", fallback = "${told-at-start}")
        public String three(String text) {
            return text;
        }

        String instead(String text) {
            return text;
        }

        String instead(String text, RateLimitExceededException denial) {
            return text + denial;
        }
    }

    public static class Asking {

        @RateLimited(
                name = "orders",
                permits = 9,
                period = "1h",
                key = "{#order.customer.id, #caller.address ?: #caller.header('X-Id')}",
                cost = "#lines.size()",
                condition = "!#order.customer.internal",
                plan = "@accounts.planOf(#order)")
        public void create(Order order, List<String> lines) {}
    }

    public record Order(Customer customer) {}

    public static class Customer {

        public boolean internal;

        public String getId() {
            return "id";
        }
    }

    public static class Accounts {

        public String planOf(Order order) {
            return "gold" + order;
        }

        public String neverAsked() {
            return "";
        }
    }

    static class Other {

        public String elsewhere(String text) {
            return text;
        }
    }
}
