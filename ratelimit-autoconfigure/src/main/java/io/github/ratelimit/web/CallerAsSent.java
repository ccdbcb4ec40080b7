/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.expression.Caller;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request whose path was not sent in the one way, with the path as the handlers of Spring read it.
 *
 * @param caller the same with the path cleaned
 * @param path the path
 */
record CallerAsSent(Caller caller, String path) implements Caller {

    @Override
    public @Nullable String address() {
        return caller.address();
    }

    @Override
    public @Nullable String principal() {
        return caller.principal();
    }

    @Override
    public @Nullable String header(String name) {
        return caller.header(name);
    }

    @Override
    public String method() {
        return caller.method();
    }
}
