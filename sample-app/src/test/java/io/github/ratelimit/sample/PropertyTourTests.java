/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.autoconfigure.HttpProperties;
import io.github.ratelimit.tuning.Adaptive;
import io.github.ratelimit.tuning.LimitSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code application.yml} is the tour of all properties there are: each is there, and a line of it says what it does. */
class PropertyTourTests {

    private static final ClassLoader LOADER = PropertyTourTests.class.getClassLoader();

    private static final Pattern NAME = Pattern.compile("\"name\": \"ratelimit\\.(?:[\\w-]+\\.)*([\\w-]+)\"");

    @Test
    void explainsEveryProperty() throws IOException {
        List<String> lines = text(Objects.requireNonNull(LOADER.getResource("application.yml")))
                .lines()
                .toList();

        assertThat(properties())
                .hasSizeGreaterThan(40)
                .allSatisfy(property -> assertThat(lines)
                        .as(property)
                        .anyMatch(line -> line.matches(" +(- )?" + property + ":( .*)? # .+")));
    }

    private static Set<String> properties() throws IOException {
        Set<String> names = new TreeSet<>();
        for (URL metadata : Collections.list(LOADER.getResources("META-INF/spring-configuration-metadata.json"))) {
            NAME.matcher(text(metadata)).results().forEach(name -> names.add(name.group(1)));
        }
        Stream.of(LimitSettings.class, Adaptive.class, HttpProperties.Rule.class)
                .flatMap(type -> Stream.of(type.getRecordComponents()))
                .forEach(component -> names.add(
                        component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)));
        return names;
    }

    private static String text(URL resource) throws IOException {
        try (InputStream input = resource.openStream()) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
