/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

/** The actuator is beside the application where Boot opens another port for it. */
class HttpSurroundingsTests {

    @ParameterizedTest
    @CsvSource({
        ",     ,     /actuator",
        "8080, ,     /actuator",
        "9090, 9090, /actuator",
        "9090, ,     ",
        "9090, 8080, ",
        "0,    ,     ",
        "0,    0,    ",
        "-1,   ,     ",
    })
    void onePortOrTwo(@Nullable String management, @Nullable String server, @Nullable String path) {
        MockEnvironment environment = new MockEnvironment();
        if (management != null) {
            environment.setProperty("management.server.port", management);
        }
        if (server != null) {
            environment.setProperty("server.port", server);
        }
        assertThat(HttpSurroundings.actuatorPaths(environment, "/", List::of))
                .isEqualTo(path == null ? List.of() : List.of(path));
    }

    @Test
    void healthMayHavePathsOfItsOwn() {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("management.server.port", "9090")
                .withProperty("management.endpoint.health.probes.add-additional-paths", "true")
                .withProperty("management.endpoint.health.group.one.additionalPath", "server:/healthy/")
                .withProperty("management.endpoint.health.group.two.additional-path", "management:/other")
                .withProperty("management.endpoint.health.group.three.include", "db")
                .withProperty("management.endpoint.health.group.four.additional-path", "server:/");
        assertThat(HttpSurroundings.actuatorPaths(environment, "/app", List::of))
                .containsExactly("/app/livez", "/app/readyz", "/app/healthy");
    }

    /** All that begins with nothing would be the whole application. */
    @ParameterizedTest
    @ValueSource(strings = {"/", ""})
    void actuatorWithoutAPathIsItsEndpoints(String none) {
        MockEnvironment environment = new MockEnvironment().withProperty("management.endpoints.web.base-path", none);
        List<String> endpoints = List.of("/healthcheck", "//info", "/deep/metrics/", "/");
        assertThat(HttpSurroundings.actuatorPaths(environment, "/", () -> endpoints))
                .containsExactly("/healthcheck", "/info", "/deep/metrics");
        assertThat(HttpSurroundings.actuatorPaths(environment, "/app/", () -> endpoints))
                .containsExactly("/app/healthcheck", "/app/info", "/app/deep/metrics");
        environment.setProperty("management.server.port", "9090");
        assertThat(HttpSurroundings.actuatorPaths(environment, "/", () -> endpoints))
                .isEmpty();
    }
}
