/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The response of a refused request in the dispatch that shows the error page. Filters may turn that away, as Spring
 * Security does with whoever is not logged in: then the request is answered with the problem, not with their redirect to the
 * login. Once the dispatcher servlet has it, the page is the application's, redirects included.
 */
final class GuardedPage extends WatchedResponse {

    private static final String DISPATCHED = DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE;

    private final HttpServletRequest request;
    private final Refusal refusal;
    private boolean turnedAway;

    GuardedPage(HttpServletRequest request, HttpServletResponse response, ServletExchange exchange, Refusal refusal) {
        super(response, exchange);
        this.request = request;
        this.refusal = refusal;
        request.removeAttribute(DISPATCHED); // of the dispatch before
    }

    /** Answers with the problem if the page was turned away. */
    void answerIfTurnedAway() throws IOException {
        if (turnedAway && !isCommitted()) {
            Problems.write(refusal, this);
        }
    }

    private boolean isTurningAway() {
        turnedAway |= request.getAttribute(DISPATCHED) == null;
        return turnedAway;
    }

    @Override
    public void setStatus(int status) {
        if (status == refusal.status() || !isTurningAway()) {
            super.setStatus(status);
        }
    }

    @Override
    public void sendError(int status) throws IOException {
        if (!isTurningAway()) {
            super.sendError(status);
        }
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        if (!isTurningAway()) {
            super.sendError(status, message);
        }
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        if (!isTurningAway()) {
            super.sendRedirect(location);
        }
    }
}
