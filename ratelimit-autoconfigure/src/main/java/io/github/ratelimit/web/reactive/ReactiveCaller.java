/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.web.CallerAddresses;
import io.github.ratelimit.web.RequestPaths;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/** Who sent a request to WebFlux. Nothing is worked out before it is asked for, and nothing blocks. */
final class ReactiveCaller implements Caller {

    private final ServerWebExchange exchange;
    private final CallerAddresses addresses;

    /** The sender of an exchange's request. */
    ReactiveCaller(ServerWebExchange exchange, CallerAddresses addresses) {
        this.exchange = exchange;
        this.addresses = addresses;
    }

    /** From the request as the server received it: what others have made of the headers is not believed a second time. */
    @Override
    public @Nullable String address() {
        ReactiveExchange served = ReactiveExchange.of(exchange);
        ReceivedRequest received = ReceivedRequest.of((served == null ? exchange : served.exchange()).getRequest());
        return addresses.of(received.peer(), received.headers());
    }

    /** As {@link PrincipalWebFilter} has found it. */
    @Override
    public @Nullable String principal() {
        return exchange.getAttribute(PrincipalWebFilter.NAME);
    }

    @Override
    public @Nullable String header(String name) {
        return exchange.getRequest().getHeaders().getFirst(name);
    }

    @Override
    public String path() {
        return RequestPaths.of(exchange.getRequest().getPath().pathWithinApplication())
                .text();
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name().toUpperCase(Locale.ROOT);
    }
}
