/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.RequestPaths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.ServletRequestPathUtils;

/** The path of a servlet request: within the application, and where a servlet has a prefix, also behind that. */
final class ServletPaths {

    private ServletPaths() {}

    /**
     * The readings of its path.
     *
     * @throws RuntimeException where Spring cannot read it
     */
    static RequestPaths of(HttpServletRequest request) {
        RequestPaths single = single(request);
        return single == null ? parsed(request) : single;
    }

    /** What nearly every request has: a path written in the one way, to a servlet without a prefix. */
    private static @Nullable RequestPaths single(HttpServletRequest request) {
        String uri = request.getRequestURI();
        String context = request.getContextPath();
        return uri.startsWith(context) && request.getHttpServletMapping().getMappingMatch() != MappingMatch.PATH
                ? RequestPaths.ofClean(uri.substring(context.length()))
                : null;
    }

    /** The path behind the servlet's prefix, as it was sent. */
    static String behindServlet(HttpServletRequest request) {
        return ServletRequestPathUtils.parse(request).pathWithinApplication().value();
    }

    private static RequestPaths parsed(HttpServletRequest request) {
        PathContainer behindServlet = ServletRequestPathUtils.parse(request).pathWithinApplication();
        PathContainer whole = RequestPath.parse(request.getRequestURI(), request.getContextPath())
                .pathWithinApplication();
        RequestPaths paths = RequestPaths.of(whole);
        return behindServlet.value().equals(whole.value()) ? paths : paths.or(behindServlet);
    }
}
