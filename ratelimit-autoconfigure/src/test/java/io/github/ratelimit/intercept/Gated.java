/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications whose limits, unless they say otherwise, allow two calls in an hour. */
final class Gated {

    private Gated() {}

    /** An application with these beans. */
    static ApplicationContextRunner with(Class<?>... beans) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=local", "ratelimit.defaults.permits=2", "ratelimit.defaults.period=1h");
        for (Class<?> bean : beans) {
            runner = runner.withUserConfiguration(bean);
        }
        return runner;
    }

    /** Two calls pass, the third is denied by this limit. */
    static void assertTwoCalls(String limit, ThrowingCallable call) throws Exception {
        run(call);
        run(call);
        assertDenied(limit, call);
    }

    static void assertDenied(String limit, ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.denied().limit()).isEqualTo(limit));
    }

    /** Any number of calls passes. */
    static void assertUnlimited(ThrowingCallable call) throws Exception {
        for (int i = 0; i < 5; i++) {
            run(call);
        }
    }

    private static void run(ThrowingCallable call) throws Exception {
        try {
            call.call();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
