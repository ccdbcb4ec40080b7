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
import jakarta.servlet.http.HttpServletRequest;
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

    private static @Nullable Caller current(HttpServletRequest request) {
        AnswerHeaders headers = new AnswerHeaders(new HeaderChoice(true, true, true, false));
        ServletExchange exchange = new ServletExchange(request, new MockHttpServletResponse(), headers);
        return new ServletCallers(() -> exchange, new CallerAddresses(List.of(), 64), false).current();
    }
}
