/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/** Who sent the web request that is being served: {@code #caller} in expressions. Text only. */
public interface Caller {

    /** The address the request came from; forwarding headers are believed from trusted proxies only. */
    @Nullable
    String address();

    /** The name of the authenticated user; null when there is none. */
    @Nullable
    String principal();

    /** The first value of a request header; null when the request has none. */
    @Nullable
    String header(String name);

    /** The path of the request. */
    String path();

    /** The HTTP method of the request, in upper case. */
    String method();
}
