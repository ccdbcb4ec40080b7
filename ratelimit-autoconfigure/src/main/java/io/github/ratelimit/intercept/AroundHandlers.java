/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The methods of a controller that Spring calls around the one that handles a request: they bind, fill the model, handle
 * exceptions. No request is theirs, so a limit on the class does not mean them: a request would take a permit for each, and
 * who handles a denial would be denied.
 */
final class AroundHandlers {

    /** By name: Spring's part for the web need not be there. */
    private static final String WEB = "org.springframework.web.bind.annotation.";

    private static final String CONTROLLER = "org.springframework.stereotype.Controller";

    private AroundHandlers() {}

    /** Whether a method of this class is one of them. */
    static boolean include(Method method, Class<?> type) {
        if (!MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(CONTROLLER)) {
            return false;
        }
        MergedAnnotations stated = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return !stated.isPresent(WEB + "RequestMapping")
                && Stream.of("InitBinder", "ModelAttribute", "ExceptionHandler")
                        .anyMatch(name -> stated.isPresent(WEB + name));
    }
}
