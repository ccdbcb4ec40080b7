/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What can be known of {@code compose.yaml} without Docker. */
class ComposeTests {

    private static final Path COMPOSE = Path.of("compose.yaml").toAbsolutePath();

    @Test
    void namesTheServicesAndFilesThatAreThere() throws IOException {
        Map<String, Map<String, Map<String, Object>>> compose = new Yaml().load(Files.readString(COMPOSE));
        Map<String, Map<String, Object>> services = compose.getOrDefault("services", Map.of());

        assertThat(services).containsOnlyKeys("redis", "prometheus", "grafana");
        List<String> mounted = new ArrayList<>();
        for (Map<String, Object> service : services.values()) {
            assertThat(service.get("image")).asString().matches("[a-z/]+:\\S+");
            if (service.get("volumes") instanceof List<?> volumes) {
                volumes.forEach(volume -> mounted.add(volume.toString()));
            }
        }
        assertThat(mounted).hasSize(5).allSatisfy(volume -> {
            String[] parts = volume.split(":", -1);
            assertThat(COMPOSE.resolveSibling(parts[0])).isRegularFile();
            assertThat(parts[2]).isEqualTo("ro");
        });
        assertThat(mounted).anyMatch(volume -> volume.startsWith("../docs/operations/dashboard.json:"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus.yml", "datasource.yml", "dashboards.yml"})
    void whatItMountsIsYamlAndSaysThatItWasNotRun(String file) throws IOException {
        String text = Files.readString(COMPOSE.resolveSibling("compose").resolve(file));

        assertThat(text).startsWith("# Not run");
        assertThat(new Yaml().<Map<String, Object>>load(text)).isNotEmpty();
    }

    @Test
    void prometheusAsksWhereTheSampleListens() throws IOException {
        String prometheus = Files.readString(COMPOSE.resolveSibling("compose").resolve("prometheus.yml"));

        assertThat(Stream.of("/actuator/prometheus", "host.docker.internal:8080", "alerts.yml"))
                .allSatisfy(said -> assertThat(prometheus).contains(said));
    }
}
