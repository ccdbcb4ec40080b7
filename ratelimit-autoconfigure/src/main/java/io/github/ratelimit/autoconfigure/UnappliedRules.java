/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.HttpProperties.Rule;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Stops the start of an application whose path rules nobody would apply: all that they name would go unlimited. */
final class UnappliedRules implements SmartInitializingSingleton {

    private final List<Rule> stated;

    /** Rules that the properties state; none where limiting is off. */
    UnappliedRules(List<Rule> stated) {
        this.stated = stated;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!stated.isEmpty()) {
            throw new InvalidPropertyException(
                    "ratelimit.http.rules[0].path",
                    stated.get(0).path(),
                    "would limit nothing: ratelimit.http.rules need Spring MVC or WebFlux, and the application has neither",
                    "Add Spring MVC (spring-boot-starter-web): rules then hold for all servlets. Or remove the rules, and limit"
                            + " with @RateLimited or RateLimiter.");
        }
    }
}
