/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.limiter.ServedRequest;
import java.security.Principal;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An exchange whose sources tell their signals as part of its request. What a controller's method waits for comes out of
 * one of them, so a method that returns a plain value runs as part of the request, on whichever thread its last argument
 * came.
 */
final class CarriedExchange extends ServerWebExchangeDecorator {

    private final ServedRequest served;
    private final ServerHttpRequest request;

    CarriedExchange(ServerWebExchange exchange, ServedRequest served) {
        super(exchange);
        this.served = served;
        this.request = new CarriedRequest(exchange.getRequest());
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public Mono<WebSession> getSession() {
        return new CarriedMono<>(super.getSession(), served);
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return new CarriedMono<>(super.getPrincipal(), served);
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return new CarriedMono<>(super.getFormData(), served);
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        return new CarriedMono<>(super.getMultipartData(), served);
    }

    private final class CarriedRequest extends ServerHttpRequestDecorator {

        CarriedRequest(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return new CarriedFlux<>(super.getBody(), served);
        }
    }
}
