/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.expression.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to know of limits in WebFlux: methods that are called, and classes that are looked for, by name. */
public final class ReactiveHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.reflection().registerType(Caller.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.reflection()
                .registerMethod(FailingMethod.Failure.METHOD, ExecutableMode.INVOKE)
                .registerType(UnhandledMethod.Rethrow.class, MemberCategory.INVOKE_DECLARED_METHODS);
        List.of(BrokenAnswer.OF_NETTY, ReceivedRequest.OF_NETTY, ReceivedRequest.OF_SERVLETS)
                .forEach(type -> hints.reflection().registerTypeIfPresent(loader, type));
    }
}
