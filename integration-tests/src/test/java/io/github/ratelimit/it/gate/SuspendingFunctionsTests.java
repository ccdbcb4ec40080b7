/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Kotlin's suspending functions and flows, called from coroutines through Spring's proxies. */
@ExtendWith(OutputCaptureExtension.class)
class SuspendingFunctionsTests {

    private static URLClassLoader kotlin;

    @BeforeAll
    static void compile(@TempDir Path directory) throws IOException {
        kotlin = KotlinSources.compile("/kotlin/orders.kt", directory);
    }

    @AfterAll
    static void close() throws IOException {
        kotlin.close();
    }

    @Test
    void areCountedByKeyAndNotRunWhenDenied() throws Exception {
        run(coroutines -> {
            assertThat(coroutines.find("acme")).isEqualTo("order of acme");
            assertThat(coroutines.find("acme")).isEqualTo("order of acme");
            Gated.assertDenied(() -> coroutines.find("acme"));
            assertThat(coroutines.bodies()).isEqualTo(2);
            assertThat(coroutines.find("umbrella")).isEqualTo("order of umbrella");
        });
    }

    @Test
    void mayReturnNothing() throws Exception {
        run(coroutines -> {
            assertThat(coroutines.nothing()).isNull();
            assertThat(coroutines.nothing()).isNull();
            Gated.assertDenied(coroutines::nothing);
            Gated.assertTwoCalls(coroutines::unit);
            assertThat(coroutines.bodies()).isEqualTo(2);
        });
    }

    @Test
    void mayHaveASuspendingFallback() throws Exception {
        run(coroutines -> {
            coroutines.withFallback("acme");
            assertThat(coroutines.withFallback("acme")).isEqualTo("order of acme");
            assertThat(coroutines.withFallback("acme")).isEqualTo("acme denied by orders-with-fallback");
        });
    }

    @Test
    void mayHaveAPlainFallback() throws Exception {
        run(coroutines -> {
            coroutines.withPlainFallback("acme");
            assertThat(coroutines.withPlainFallback("acme")).isEqualTo("order of acme");
            assertThat(coroutines.withPlainFallback("acme")).isEqualTo("plainly acme");
        });
    }

    @Test
    void mayHaveAPlainFallbackThatReturnsNothingEither() throws Exception {
        run(coroutines -> {
            coroutines.unitWithPlainFallback("acme");
            assertThat(coroutines.unitWithPlainFallback("acme")).containsExactly("kotlin.Unit");
            assertThat(coroutines.unitWithPlainFallback("acme")).containsExactly("acme", "kotlin.Unit");
            assertThat(coroutines.bodies()).isEqualTo(2);
        });
    }

    @Test
    void needAFallbackWithAResultThatFits() throws Exception {
        application("Mistaken")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("names a method whose parameters or result do not fit"));
    }

    @Test
    void areToldAsTheyAreWritten(CapturedOutput output) throws Exception {
        for (String name : List.of("Misspelt", "Mistaken", "Overloaded")) {
            application(name)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .message()
                            .contains(".find(String)")
                            .doesNotContain("Continuation"));
        }
        application("Orders")
                .withBean("tenants", Tenants.class)
                .run(context -> assertThat(output)
                        .contains("Orders.find(String) is limited by 'orders-find'")
                        .doesNotContain("Continuation"));
    }

    @Test
    void giveBackWhenTheyAreCancelledWhileTheyWait() throws Exception {
        application("Orders", "Caller").withBean("tenants", Tenants.class).run(context -> {
            Coroutines coroutines = context.getBean(Coroutines.class);
            assertThat(coroutines.patient(10_000)).isTrue();
            assertThat(coroutines.patient(50)).isFalse();
            assertThat(coroutines.bodies()).isEqualTo(1);
            RateLimiter limiter = context.getBean(RateLimiter.class);
            limiter.refund("orders-patient", "all", 1);
            assertThat(limiter.tryAcquire("orders-patient", "all").passes()).isTrue();
        });
    }

    @Test
    void decideAFlowEachTimeItIsCollectedAndNotBefore() throws Exception {
        run(coroutines -> {
            Supplier<List<String>> flow = coroutines.flow("acme");
            assertThat(coroutines.bodies()).isZero();
            assertThat(flow.get()).containsExactly("acme", "acme again");
            assertThat(flow.get()).containsExactly("acme", "acme again");
            Gated.assertDenied(flow::get);
            assertThat(coroutines.bodies()).isEqualTo(2);
        });
    }

    @Test
    void haveKeysFromTheContextOfTheCoroutine() throws Exception {
        ContextRegistry.getInstance().registerThreadLocalAccessor(Tenants.KEY, Tenants.CURRENT);
        try {
            run(coroutines -> {
                Gated.assertTwoCalls(() -> coroutines.ofTheContext(Tenants.KEY, "acme"));
                assertThat(coroutines.ofTheContext(Tenants.KEY, "umbrella")).isEqualTo("found");
            });
        } finally {
            ContextRegistry.getInstance().removeThreadLocalAccessor(Tenants.KEY);
        }
    }

    private static void run(Consumer test) throws ClassNotFoundException {
        application("Orders", "Caller")
                .withBean("tenants", Tenants.class)
                .run(context -> test.accept(context.getBean(Coroutines.class)));
    }

    private static ApplicationContextRunner application(String... names) throws ClassNotFoundException {
        Class<?>[] beans = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            beans[i] = kotlin.loadClass("io.github.ratelimit.it.kotlin." + names[i]);
        }
        return Gated.with(beans).withClassLoader(kotlin);
    }

    /** What is checked. */
    private interface Consumer {
        void accept(Coroutines coroutines) throws Exception;
    }
}
