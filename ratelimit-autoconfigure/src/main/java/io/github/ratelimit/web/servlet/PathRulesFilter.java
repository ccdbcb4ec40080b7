/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterClosedException;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.web.PathRule;
import io.github.ratelimit.web.PathRules;
import io.github.ratelimit.web.RequestPaths;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.cors.CorsUtils;

/** Applies the path rules to a request before anything has read its body. To be registered for first dispatches only. */
public final class PathRulesFilter implements Filter {

    private final Supplier<PathRules> rules;
    private final Supplier<Door> door;
    private final ServletCallers callers;
    private final Predicate<HttpServletRequest> isStatic;
    private final Predicate<HttpServletRequest> isForActuator;
    private final Refusal refusal;

    /**
     * A filter.
     *
     * @param rules the rules, complete when the first request comes
     * @param door decides
     * @param callers tells the caller of a request
     * @param isStatic whether a request is answered with a static resource
     * @param isForActuator whether a request below the actuator's path is none for the application
     * @param refusal answers where the request does not go on
     */
    public PathRulesFilter(
            Supplier<PathRules> rules,
            Supplier<Door> door,
            ServletCallers callers,
            Predicate<HttpServletRequest> isStatic,
            Predicate<HttpServletRequest> isForActuator,
            Refusal refusal) {
        this.rules = rules;
        this.door = door;
        this.callers = callers;
        this.isStatic = isStatic;
        this.isForActuator = isForActuator;
        this.refusal = refusal;
    }

    /** Answers a request that does not go on. */
    @FunctionalInterface
    public interface Refusal {

        /** Answers because of an exception that {@linkplain io.github.ratelimit.web.Refusal#of refuses}. */
        void answer(HttpServletRequest request, HttpServletResponse response, RuntimeException reason)
                throws ServletException, IOException;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http)
                || !(response instanceof HttpServletResponse answer)
                || rules.get().isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        RequestPaths paths = paths(http);
        if (paths == null) {
            answer.setStatus(HttpServletResponse.SC_BAD_REQUEST); // an error page would stand behind the same path
            return;
        }
        RuntimeException reason = refused(http, paths);
        if (reason == null) {
            chain.doFilter(request, response);
        } else {
            refusal.answer(http, answer, reason);
        }
    }

    /** The readings of the path; null: Spring cannot read it, and no handler can be meant. */
    private static @Nullable RequestPaths paths(HttpServletRequest request) {
        try {
            return ServletPaths.of(request);
        } catch (IllegalArgumentException | IllegalStateException unreadable) {
            return null;
        }
    }

    private boolean isLeftOutByWideOnes(List<PathRule> matching, HttpServletRequest request, RequestPaths paths) {
        return (PathRules.dependOnStatic(matching, paths, request.getMethod()) && isStatic.test(request))
                || (rules.get().dependOnActuator(matching, paths) && isForActuator.test(request));
    }

    private @Nullable RuntimeException refused(HttpServletRequest request, RequestPaths paths) {
        List<PathRule> matching =
                rules.get().matching(paths, request.getMethod(), CorsUtils.isPreFlightRequest(request));
        if (isLeftOutByWideOnes(matching, request, paths)) {
            matching = PathRules.notWide(matching);
        }
        if (matching.isEmpty()) {
            return null;
        }
        try {
            List<Ask> asks = PathRules.asks(matching, paths, callers.of(request));
            Decision decision = asks.isEmpty() ? null : door.get().acquireBlocking(asks, null);
            return decision instanceof Denied denied ? new RateLimitExceededException(denied) : null;
        } catch (InvalidRateLimitKeyException | RateLimiterClosedException reason) {
            return reason;
        }
    }
}
