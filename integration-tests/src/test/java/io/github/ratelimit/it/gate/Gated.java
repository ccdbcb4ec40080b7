/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with Boot's own way of making proxies, whose limits allow two calls in an hour. */
final class Gated {

    private Gated() {}

    /** An application with these beans. */
    static ApplicationContextRunner with(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=local", "ratelimit.defaults.permits=2", "ratelimit.defaults.period=1h")
                .withUserConfiguration(beans);
    }

    /** Two calls pass, each counted once; the third is denied. */
    static void assertTwoCalls(Runnable call) {
        call.run();
        call.run();
        assertDenied(call::run);
    }

    static void assertDenied(ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call);
    }
}
