/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What may make an application's proxies. Classes to be limited are public: one class loader here is not their own. */
enum Proxies {
    /** Boot's own way, with AspectJ on the class path. */
    OF_ASPECTJ,
    /** Nothing from Boot, though AspectJ is there. */
    SWITCHED_OFF,
    /** No AspectJ. */
    WITHOUT_ASPECTJ;

    /** An application of these beans, with proxies made like this. */
    ApplicationContextRunner with(Class<?>... beans) {
        ApplicationContextRunner application = Gated.with(beans);
        return switch (this) {
            case OF_ASPECTJ -> application;
            case SWITCHED_OFF -> application.withPropertyValues("spring.aop.auto=false");
            case WITHOUT_ASPECTJ -> application.withClassLoader(new FilteredClassLoader("org.aspectj"));
        };
    }
}
