/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request of which something is asked ahead of time: what is noted on it meanwhile, the request itself never sees. */
final class AskingRequest extends HttpServletRequestWrapper {

    private final Map<String, @Nullable Object> noted = new HashMap<>();

    AskingRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return noted.containsKey(name) ? noted.get(name) : super.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        noted.put(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        noted.put(name, null);
    }
}
