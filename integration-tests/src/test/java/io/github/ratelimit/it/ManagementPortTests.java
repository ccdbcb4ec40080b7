/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The actuator endpoint on a port of its own, which is a web application of its own. */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class ManagementPortTests {

    private final RedisServer redis;

    ManagementPortTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void answersAndStartsNoThreadThatOutlivesIt(String client, CapturedOutput log) throws Exception {
        try (RunningApplication app = start(client)) {
            assertThat(app.get("/actuator/ratelimits").statusCode()).isEqualTo(404);
            for (int i = 0; i < 20; i++) {
                assertThat(send(app, "GET", "/key?key=acme", "")).contains("\"remaining\":3");
                assertThat(send(app, "POST", "/override", "{\"permits\": 5}")).contains("\"permits\":5");
                assertThat(send(app, "DELETE", "/override", "")).contains("\"permits\":3");
                assertThat(send(app, "DELETE", "/key?key=acme", "")).contains("forgotten");
            }
        }
        assertThat(log).doesNotContain("has failed to stop it");
    }

    private RunningApplication start(String client) {
        return WebStack.SERVLET.startWith(
                List.of(Application.class),
                List.of(
                        "spring.application.name=management-" + UUID.randomUUID(),
                        "spring.data.redis.client-type=" + client,
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "management.server.port=0",
                        "management.endpoints.web.exposure.include=ratelimits",
                        "management.endpoint.ratelimits.access=unrestricted",
                        "ratelimit.store-timeout=20s",
                        "ratelimit.limits.orders.permits=3"),
                List.of());
    }

    private static String send(RunningApplication app, String method, String path, String json) throws Exception {
        String port = app.context().getEnvironment().getProperty("local.management.port");
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/ratelimits/orders" + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @EnableAutoConfiguration
    static class Application {}
}
