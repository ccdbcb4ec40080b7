/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** Meets each request's caller where it is known who is authenticated. To be registered for first dispatches only. */
public final class ServletCallerFilter implements Filter {

    private final ServletCallers callers;

    /** A filter that has these callers met. */
    public ServletCallerFilter(ServletCallers callers) {
        this.callers = callers;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http) {
            callers.meet(http);
        }
        chain.doFilter(request, response);
    }
}
