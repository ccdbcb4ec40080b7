/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.CallerAddresses;
import io.github.ratelimit.web.HeaderChoice;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Who calls on a servlet, also on threads that took a request along. */
class ServletCallersTests {

    @Test
    void areThoseOfTheRequest() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        request.setRemoteAddr("192.0.2.1");

        assertThat(current(request)).isNotNull().extracting(Caller::address).isEqualTo("192.0.2.1");
    }

    @Test
    void areNobodyOnceTheRequestHasEnded() {
        MockHttpServletRequest recycled = new MockHttpServletRequest("GET", "/") {
            @Override
            public Object getAttribute(String name) {
                throw new IllegalStateException("The request object has been recycled");
            }
        };

        assertThat(current(recycled)).isNull();
    }

    /** Some containers serve the next request with the object of one that has ended. */
    @Test
    void areNobodyWhereTheRequestIsAnotherOneByNow() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        ServletExchange ended = exchange(request);
        exchange(request);

        assertThat(callers(ended).current()).isNull();
    }

    @Test
    void areThoseOfTheRequestAsItWasMetLast() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        ServletCallers callers = callers(exchange(request));
        callers.principalAsked();
        request.setUserPrincipal(() -> "alice");
        new ServletCallerInterceptor(callers).preHandle(request, new MockHttpServletResponse(), this);
        request.setUserPrincipal(null);
        HttpServletRequest filtered = new HttpServletRequestWrapper(request) {
            @Override
            public String getHeader(String name) {
                return "acme";
            }
        };
        new ServletCallerInterceptor(callers).preHandle(filtered, new MockHttpServletResponse(), this);

        assertThat(callers.current()).isNotNull().satisfies(caller -> {
            assertThat(caller.header("X-Tenant")).isEqualTo("acme");
            assertThat(caller.principal()).as("known before, and not forgotten").isEqualTo("alice");
        });
    }

    /** The error page's dispatch has passed by the filters that changed the request. */
    @Test
    void areNotThoseOfAnErrorPage() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/orders");
        ServletCallers callers = callers(exchange(request));
        callers.meet(request);
        HttpServletRequest page = new HttpServletRequestWrapper(request) {
            @Override
            public DispatcherType getDispatcherType() {
                return DispatcherType.ERROR;
            }

            @Override
            public String getRequestURI() {
                return "/error";
            }
        };
        new ServletCallerInterceptor(callers).preHandle(page, new MockHttpServletResponse(), this);

        assertThat(callers.current()).isNotNull().extracting(Caller::path).isEqualTo("/orders");
    }

    private static @Nullable Caller current(HttpServletRequest request) {
        return callers(exchange(request)).current();
    }

    private static ServletCallers callers(ServletExchange exchange) {
        return new ServletCallers(() -> exchange, new CallerAddresses(List.of(), 64), false);
    }

    private static ServletExchange exchange(HttpServletRequest request) {
        AnswerHeaders headers = new AnswerHeaders(new HeaderChoice(true, true, true, false));
        ServletExchange exchange = new ServletExchange(request, new MockHttpServletResponse(), headers);
        request.setAttribute(ServletExchange.ATTRIBUTE, exchange);
        return exchange;
    }
}
