/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Refusals in Spring MVC on Tomcat; the extra is a functional endpoint. */
class ServletRefusalTests extends RefusalSpecification {

    ServletRefusalTests() {
        super(WebStack.SERVLET, Functional.class);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Extra.class)
    static class Functional {

        @Bean
        RouterFunction<ServerResponse> extraRoute(Extra extra) {
            return RouterFunctions.route()
                    .GET("/extra", request -> ServerResponse.ok().body(extra.value()))
                    .build();
        }
    }
}
