/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** How WebFlux ends an answer that has begun and cannot be finished: the server hangs up. */
final class BrokenAnswer {

    static final String OF_NETTY = "reactor.netty.http.server.HttpServerResponse";

    private static final boolean NETTY = ClassUtils.isPresent(OF_NETTY, BrokenAnswer.class.getClassLoader());

    private BrokenAnswer() {}

    /** Hangs up, on Reactor Netty without an error in the log; elsewhere fails with the reason. */
    static <T> Mono<T> end(ServerHttpResponse response, RuntimeException reason) {
        return Mono.defer(() -> NETTY && OverNetty.close(response) ? Mono.empty() : Mono.error(reason));
    }

    /** Apart, so that it is loaded only where Reactor Netty is. */
    private static final class OverNetty {

        static boolean close(ServerHttpResponse response) {
            Object sending = ServerHttpResponseDecorator.getNativeResponse(response);
            if (sending instanceof HttpServerResponse netty) {
                netty.withConnection(connection -> {
                    var unused = connection.channel().close();
                });
                return true;
            }
            return false;
        }
    }
}
