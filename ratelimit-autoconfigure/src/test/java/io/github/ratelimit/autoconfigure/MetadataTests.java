/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.autoconfigure.HttpProperties.Header;
import io.github.ratelimit.tuning.InWords;
import io.github.ratelimit.tuning.StoreKind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What editors show while somebody writes {@code application.yml}. */
class MetadataTests {

    private static final JsonNode METADATA = Metadata.read();

    /** Without a fixed default: lists and maps that are empty, and permits, which nobody can guess. */
    private static final Set<String> WITHOUT_DEFAULT = Set.of(
            "ratelimit.defaults.permits", "ratelimit.http.rules", "ratelimit.http.trusted-proxies", "ratelimit.limits");

    @Test
    void everyPropertyOfTheContractIsThere() {
        assertThat(properties())
                .containsOnlyKeys(
                        "ratelimit.enabled",
                        "ratelimit.store",
                        "ratelimit.key-prefix",
                        "ratelimit.shadow",
                        "ratelimit.on-store-failure",
                        "ratelimit.local-share",
                        "ratelimit.store-timeout",
                        "ratelimit.waiting.leaky-bucket",
                        "ratelimit.waiting.blocked-threads",
                        "ratelimit.local.max-keys",
                        "ratelimit.redis.denial-cache",
                        "ratelimit.redis.coalescing",
                        "ratelimit.gate-order",
                        "ratelimit.defaults.algorithm",
                        "ratelimit.defaults.permits",
                        "ratelimit.defaults.period",
                        "ratelimit.limits",
                        "ratelimit.http.headers",
                        "ratelimit.http.problem-details",
                        "ratelimit.http.expose-headers",
                        "ratelimit.http.yield-to-catch-all",
                        "ratelimit.http.trusted-proxies",
                        "ratelimit.http.ipv6-prefix",
                        "ratelimit.http.rules-order",
                        "ratelimit.http.rules");
    }

    @ParameterizedTest
    @MethodSource("names")
    void propertyIsDescribed(String name) {
        String description = property(name).path("description").asText();

        assertThat(description).matches("[A-Z].*\\.");
        assertThat(names().stream()
                        .filter(other ->
                                property(other).path("description").asText().equals(description)))
                .containsExactly(name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void propertyHasItsDefault(String name) {
        assertThat(property(name).has("defaultValue")).isEqualTo(!WITHOUT_DEFAULT.contains(name));
    }

    @Test
    void defaultsAreTheRealOnes() {
        assertThat(property("ratelimit.key-prefix").path("defaultValue").asText())
                .isEqualTo("ratelimit:${spring.application.name:}");
        assertThat(property("ratelimit.store-timeout").path("defaultValue").asText())
                .isEqualTo("250ms");
        assertThat(property("ratelimit.http.headers").path("defaultValue").toString())
                .contains("retry-after")
                .contains("x-ratelimit");
    }

    @Test
    void everyKnownPropertyOutsideMapsAndListsIsThere() {
        Set<String> known = new TreeSet<>();
        for (List<String> name : new KnownProperties().names()) {
            if (!name.contains(KnownProperties.ANY)) {
                known.add(String.join(".", name));
            }
        }
        Set<String> there = new TreeSet<>(names());
        there.removeAll(Set.of("ratelimit.limits", "ratelimit.http.rules"));

        assertThat(known).isEqualTo(there);
    }

    @Test
    void everyKnownPropertyInsideMapsAndListsIsInTheContract() {
        assertThat(new KnownProperties()
                        .names().stream()
                                .filter(name -> name.contains(KnownProperties.ANY))
                                .map(name -> String.join(".", name)))
                .containsExactlyInAnyOrder(
                        "ratelimit.limits.*.algorithm",
                        "ratelimit.limits.*.permits",
                        "ratelimit.limits.*.period",
                        "ratelimit.limits.*.burst",
                        "ratelimit.limits.*.refill",
                        "ratelimit.limits.*.slots",
                        "ratelimit.limits.*.strict",
                        "ratelimit.limits.*.anchor",
                        "ratelimit.limits.*.pace",
                        "ratelimit.limits.*.large-log",
                        "ratelimit.limits.*.max-wait",
                        "ratelimit.limits.*.penalty",
                        "ratelimit.limits.*.shadow",
                        "ratelimit.limits.*.digest-keys",
                        "ratelimit.limits.*.store",
                        "ratelimit.limits.*.on-store-failure",
                        "ratelimit.limits.*.adaptive.min-permits",
                        "ratelimit.limits.*.adaptive.high-cpu",
                        "ratelimit.limits.*.adaptive.low-cpu",
                        "ratelimit.limits.*.plans.*.permits",
                        "ratelimit.limits.*.plans.*.period",
                        "ratelimit.limits.*.plans.*.burst",
                        "ratelimit.limits.*.keys.*",
                        "ratelimit.http.rules.*.path",
                        "ratelimit.http.rules.*.methods",
                        "ratelimit.http.rules.*.limits",
                        "ratelimit.http.rules.*.key",
                        "ratelimit.http.rules.*.condition");
    }

    /** Boot writes no metadata for what is inside a map or list: editors read it off the types that are named here. */
    @Test
    void mapsAndListsNameTheTypesOfWhatIsInThem() {
        assertThat(property("ratelimit.limits").path("type").asText())
                .isEqualTo("java.util.Map<java.lang.String,io.github.ratelimit.tuning.LimitSettings>");
        assertThat(property("ratelimit.http.rules").path("type").asText())
                .isEqualTo("java.util.List<io.github.ratelimit.autoconfigure.HttpProperties$Rule>");
    }

    @Test
    void everyHintBelongsToAProperty() {
        for (JsonNode hint : METADATA.path("hints")) {
            assertThat(names()).contains(hint.path("name").asText().replaceAll("\\.keys$", ""));
        }
    }

    @Test
    void hintsAreTheValuesThereAre() {
        assertThat(hinted("ratelimit.store")).isEqualTo(words(StoreKind.values()));
        assertThat(hinted("ratelimit.on-store-failure")).isEqualTo(words(FailurePolicy.values()));
        assertThat(hinted("ratelimit.defaults.algorithm")).isEqualTo(words(Algorithm.values()));
        assertThat(hinted("ratelimit.http.headers")).isEqualTo(words(Header.values()));
    }

    static Set<String> names() {
        return properties().keySet();
    }

    /** Our own; Boot adds those that every actuator endpoint has. */
    private static Map<String, JsonNode> properties() {
        Map<String, JsonNode> properties = new TreeMap<>();
        METADATA.path("properties")
                .forEach(property -> properties.put(property.path("name").asText(), property));
        properties.keySet().removeIf(name -> name.startsWith("management.endpoint.ratelimits."));
        return properties;
    }

    private static JsonNode property(String name) {
        return properties().getOrDefault(name, METADATA.path("nothing"));
    }

    private static Set<String> hinted(String name) {
        Set<String> values = new HashSet<>();
        for (JsonNode hint : METADATA.path("hints")) {
            if (hint.path("name").asText().equals(name)) {
                hint.path("values")
                        .forEach(value -> values.add(value.path("value").asText()));
            }
        }
        return values;
    }

    private static Set<String> words(Enum<?>[] values) {
        Set<String> words = new HashSet<>();
        Arrays.stream(values).map(InWords::of).forEach(words::add);
        return words;
    }
}
