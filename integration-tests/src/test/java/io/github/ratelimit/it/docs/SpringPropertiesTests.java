/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.it.docs.Page.Block;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ByteArrayResource;

/** Whatever pages say to set of Spring Boot's own properties, the line that runs these tests knows. */
class SpringPropertiesTests {

    private static final Pattern NAME = Pattern.compile("\"name\": *\"([a-z][\\w.-]+)\"");

    /** Properties that are maps, whose entries have names of their own. */
    private static final Set<String> MAPS = Set.of("spring.ssl.bundle.pem");

    private static final Set<String> KNOWN = new HashSet<>();

    @BeforeAll
    static void read() throws IOException {
        ClassLoader loader = SpringPropertiesTests.class.getClassLoader();
        for (URL metadata : Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream text = metadata.openStream()) {
                NAME.matcher(new String(text.readAllBytes(), StandardCharsets.UTF_8))
                        .results()
                        .forEach(name -> KNOWN.add(name.group(1)));
            }
        }
        assertThat(KNOWN).contains("spring.data.redis.host").containsAll(MAPS);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void areKnown(Page page) {
        assertThat(page.blocks().stream()
                        .filter(block -> block.language().equals("yaml"))
                        .flatMap(SpringPropertiesTests::names)
                        .filter(name -> MAPS.stream().noneMatch(map -> name.startsWith(map + "."))))
                .isSubsetOf(KNOWN);
    }

    /** The names of a block, except our own. */
    private static Stream<String> names(Block block) {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ByteArrayResource(block.code().getBytes(StandardCharsets.UTF_8)));
        return Objects.requireNonNull(yaml.getObject()).stringPropertyNames().stream()
                .map(name -> name.replaceAll("\\[\\d+]$", ""))
                .filter(name -> name.startsWith("spring.") || name.startsWith("management."));
    }

    static Stream<Page> pages() {
        return Page.all().stream()
                .filter(page -> page.blocks().stream()
                        .anyMatch(block -> block.language().equals("yaml")));
    }
}
