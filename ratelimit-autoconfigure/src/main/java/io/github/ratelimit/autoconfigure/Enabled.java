/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The condition that {@code ratelimit.enabled} is true, in every spelling that Boot binds to true. Boot's own condition
 * compares text, and would leave out the gate for {@code yes}, {@code on} or {@code 1} while the bound property says true.
 */
final class Enabled extends SpringBootCondition {

    private static final String PROPERTY = RateLimitProperties.PREFIX + ".enabled";

    /** Whether limits are switched on at this moment. */
    static boolean in(Environment environment) {
        return Binder.get(environment).bind(PROPERTY, Boolean.class).orElse(true);
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean enabled = in(context.getEnvironment());
        return new ConditionOutcome(
                enabled, ConditionMessage.forCondition("Enabled").because(PROPERTY + " is " + enabled));
    }
}
