/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.expression.Caller;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to know of limits on servlets: an exception that is made by its name, and what
 * rules ask of the caller.
 */
public final class ServletHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.reflection().registerType(Caller.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.reflection()
                .registerTypeIfPresent(loader, BrokenAnswer.QUIET_ON_TOMCAT, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    }
}
