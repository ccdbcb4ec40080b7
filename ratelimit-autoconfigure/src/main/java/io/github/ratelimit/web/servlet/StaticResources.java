/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Whether Spring MVC answers a request with a static resource: there is one at its path, and neither another handler nor
 * another servlet comes before it. Where a page stands for every path that is not there, there is one at every path.
 */
public final class StaticResources implements Predicate<HttpServletRequest> {

    private final Predicate<String> exists;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * The resources of an application.
     *
     * @param exists whether there is one at a path within the dispatcher servlet
     * @param mappings who finds the handler of a request, in the order in which the dispatcher servlet asks
     */
    public StaticResources(Predicate<String> exists, Supplier<List<HandlerMapping>> mappings) {
        this.exists = exists;
        this.mappings = mappings;
    }

    @Override
    public boolean test(HttpServletRequest request) {
        return isForSpring(request)
                && exists.test(ServletPaths.behindServlet(request))
                && isHandledAsResource(new AskingRequest(request));
    }

    private static boolean isForSpring(HttpServletRequest request) {
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

    private boolean isHandledAsResource(HttpServletRequest request) {
        ServletRequestPathUtils.parseAndCache(request);
        try {
            for (HandlerMapping mapping : mappings.get()) {
                HandlerExecutionChain found = mapping.getHandler(request);
                if (found != null) {
                    return found.getHandler() instanceof ResourceHttpRequestHandler;
                }
            }
            return false;
        } catch (Exception refusedByMapping) {
            return false; // as by one that has the path for other methods: the dispatcher servlet gets no further
            // either
        }
    }
}
