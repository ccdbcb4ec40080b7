/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Refusals in Spring WebFlux on Netty; the extra is a functional endpoint. */
class ReactiveRefusalTests extends RefusalSpecification {

    ReactiveRefusalTests() {
        super(WebStack.REACTIVE, Functional.class);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Extra.class)
    static class Functional {

        @Bean
        RouterFunction<ServerResponse> extraRoute(Extra extra) {
            return RouterFunctions.route()
                    .GET("/extra", request -> ServerResponse.ok().bodyValue(extra.value()))
                    .build();
        }
    }
}
