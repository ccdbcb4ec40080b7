/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class SampleApplicationTests {

    @LocalServerPort
    private int port;

    @Test
    void limitsEachTenantToTheNumbersOfApplicationYml() throws Exception {
        Http http = new Http(port);
        for (int i = 0; i < 5; i++) {
            assertThat(http.get("/tenants/acme/order").statusCode()).isEqualTo(200);
        }

        HttpResponse<String> denied = http.get("/tenants/acme/order");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After"))
                .hasValueSatisfying(
                        seconds -> assertThat(Long.parseLong(seconds)).isBetween(1L, 12L));
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
        assertThat(denied.body())
                .contains("#quota-exceeded\"")
                .contains("\"status\":429")
                .endsWith("\"violated-policies\":[\"order-controller-create\"]}");
        assertThat(http.get("/tenants/umbrella/order").body()).isEqualTo("ordered for umbrella");
    }
}
