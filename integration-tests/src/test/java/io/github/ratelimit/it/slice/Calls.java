/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.context.ApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Orders as a slice's own client does. */
final class Calls {

    private static final String PATH = "/tenants/acme/order";

    private Calls() {}

    /** The statuses of three orders, through Spring MVC or WebFlux. */
    static List<Integer> three(ApplicationContext slice) throws Exception {
        MockMvc mvc = slice.getBeanProvider(MockMvc.class).getIfAvailable();
        return mvc == null ? three(slice.getBean(WebTestClient.class)) : three(mvc);
    }

    private static List<Integer> three(MockMvc mvc) throws Exception {
        return three(() -> mvc.perform(MockMvcRequestBuilders.get(PATH))
                .andReturn()
                .getResponse()
                .getStatus());
    }

    private static List<Integer> three(WebTestClient web) throws Exception {
        return three(() -> web.get()
                .uri(PATH)
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value());
    }

    private static List<Integer> three(Callable<Integer> call) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            statuses.add(call.call());
        }
        return statuses;
    }
}
