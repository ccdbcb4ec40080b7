/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Finds what will handle a request, ahead of the dispatcher servlet. */
public final class Handlers {

    private final Supplier<List<HandlerMapping>> mappings;

    /** Found by these, in the order in which the dispatcher servlet asks them. */
    public Handlers(Supplier<List<HandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    /** What was found, and who found it. */
    record Found(Object handler, HandlerMapping by) {}

    /** Whether the request is one for a dispatcher servlet, not for a servlet of another kind. */
    static boolean areAsked(HttpServletRequest request) {
        String name = request.getHttpServletMapping().getServletName();
        ServletRegistration servlet = request.getServletContext().getServletRegistration(name);
        return servlet == null
                || isDispatcher(
                        servlet.getClassName(), request.getServletContext().getClassLoader());
    }

    private static boolean isDispatcher(String type, ClassLoader loader) {
        try {
            return DispatcherServlet.class.isAssignableFrom(ClassUtils.forName(type, loader));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return false;
        }
    }

    /**
     * What handles the request; {@code null}: nothing, also where a mapping refuses it, as one that has its path for other methods.
     * Then the dispatcher servlet gets no further either.
     */
    @Nullable
    Found find(HttpServletRequest request) {
        HttpServletRequest asking = new AskingRequest(request);
        ServletRequestPathUtils.parseAndCache(asking);
        try {
            for (HandlerMapping mapping : mappings.get()) {
                HandlerExecutionChain chain = mapping.getHandler(asking);
                if (chain != null) {
                    return new Found(chain.getHandler(), mapping);
                }
            }
            return null;
        } catch (Exception refusedByMapping) {
            return null;
        }
    }
}
