/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Meets each request's caller again where Spring MVC hands the request to a handler: filters of the application may have changed
 * it. Not the one of an error page, which has passed fewer filters than the request it speaks of.
 */
public final class ServletCallerInterceptor implements HandlerInterceptor {

    private final ServletCallers callers;

    /** An interceptor that has these callers met. */
    public ServletCallerInterceptor(ServletCallers callers) {
        this.callers = callers;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getDispatcherType() != DispatcherType.ERROR) {
            callers.meet(request);
        }
        return true;
    }
}
