/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.build.RepositoryRoot;
import io.github.ratelimit.tuning.Adaptive;
import io.github.ratelimit.tuning.InWords;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Writes {@code docs/properties.md}: from the metadata, and for what is inside maps and lists, of which there are none, from
 * the Javadoc of the records that the metadata name.
 */
final class PropertiesPage {

    static final String FILE = "docs/properties.md";

    private static final String HEAD = """
            # Properties

            All there are, as editors show them. Names match as Spring Boot matches properties, values are checked at start, and a name that is not here
            stops it, as does one without a value. An unknown environment variable is only warned of, since others may have set it, unless it begins with `RATELIMIT_LIMITS_` or
            `RATELIMIT_DEFAULTS_`. Durations have a unit: `500ms`, `10s`, `1m`, `1h`, `1d`; a bare number is milliseconds.

            This page is made from the metadata in the jar; `mvn test -pl ratelimit-autoconfigure -am -Dtest=PropertiesPageTests -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true`
            writes it anew.
            """;

    private static final Pattern PARAMETER =
            Pattern.compile("(?s) @param (\\w+) (.*?)(?=\n \\* @param|\n \\*/|\n     \\* @param|\n     \\*/)");

    private final JsonNode metadata = Metadata.read();
    private final StringBuilder page = new StringBuilder(HEAD);

    /** The page as it has to be. */
    static String text() {
        return new PropertiesPage().write();
    }

    private String write() {
        described(
                "All limits",
                name -> name.matches("ratelimit\\.(redis\\.|local\\.|waiting\\.)?[a-z-]+")
                        && !name.equals("ratelimit.limits"));
        described("What limits do not say themselves", name -> name.startsWith("ratelimit.defaults."));
        heading("One limit: `ratelimit.limits.<name>`", "");
        record("", LimitSettings.class, "tuning/LimitSettings");
        heading("One plan: `ratelimit.limits.<name>.plans.<plan>`", "");
        record("", Numbers.class, "tuning/Numbers");
        heading("By load: `ratelimit.limits.<name>.adaptive`", "See [tuning.md](tuning.md#by-load).\n");
        record("", Adaptive.class, "tuning/Adaptive");
        described("HTTP", name -> name.startsWith("ratelimit.http."));
        heading("One rule: `ratelimit.http.rules[…]`", "See [http.md](http.md#limits-for-paths).\n");
        record("", HttpProperties.Rule.class, "autoconfigure/HttpProperties");
        described("The actuator endpoint", name -> name.startsWith("management.endpoint.ratelimits."));
        return page.toString();
    }

    private void heading(String title, String remark) {
        page.append("\n## ").append(title).append("\n\n");
        if (!remark.isEmpty()) {
            page.append(remark).append('\n');
        }
    }

    private void described(String title, Predicate<String> which) {
        heading(title, "");
        page.append("| property | default | |\n|---|---|---|\n");
        StreamSupport.stream(metadata.path("properties").spliterator(), false)
                .filter(property -> which.test(property.path("name").asText()))
                .filter(property -> !property.has("deprecated"))
                .forEach(property -> page.append("| `%s` | %s | %s%s |\n"
                        .formatted(
                                property.path("name").asText(),
                                standard(property.path("defaultValue")),
                                property.path("description").asText(),
                                values(
                                        property.path("name").asText(),
                                        property.path("description").asText()))));
    }

    private static String standard(JsonNode value) {
        if (value.isMissingNode()) {
            return "";
        }
        return value.isArray()
                ? StreamSupport.stream(value.spliterator(), false)
                        .map(PropertiesPage::standard)
                        .collect(Collectors.joining(", "))
                : '`' + value.asText() + '`';
    }

    private String values(String name, String description) {
        return StreamSupport.stream(metadata.path("hints").spliterator(), false)
                .filter(hint -> hint.path("name").asText().equals(name))
                .filter(hint -> hint.path("values").path(0).has("description"))
                .filter(hint -> !description.contains(
                        hint.path("values").path(0).path("value").asText()))
                .map(hint -> oneOf(StreamSupport.stream(hint.path("values").spliterator(), false)
                        .map(value -> value.path("value").asText())
                        .toList()))
                .collect(Collectors.joining());
    }

    private static String oneOf(List<String> values) {
        return " One of `" + String.join("`, `", values) + "`.";
    }

    private void record(String prefix, Class<? extends Record> type, String source) {
        Map<String, String> described = described(source);
        page.append("| property | |\n|---|---|\n");
        for (RecordComponent component : type.getRecordComponents()) {
            String text = described.getOrDefault(component.getName(), "");
            page.append("| `%s%s` | %s%s%s |\n"
                    .formatted(
                            prefix,
                            component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT),
                            text.substring(0, 1).toUpperCase(Locale.ROOT),
                            text.substring(1) + '.',
                            values(component.getType())));
        }
    }

    private static String values(Class<?> type) {
        List<String> values = new ArrayList<>();
        if (type.isEnum()) {
            Arrays.stream((Enum<?>[]) type.getEnumConstants()).map(InWords::of).forEach(values::add);
        }
        return values.isEmpty() ? "" : oneOf(values);
    }

    /** What the Javadoc of the last record in a file says of its components. */
    private static Map<String, String> described(String source) {
        Map<String, String> described = new LinkedHashMap<>();
        Matcher parameter = PARAMETER.matcher(
                RepositoryRoot.text("ratelimit-autoconfigure/src/main/java/io/github/ratelimit/" + source + ".java"));
        while (parameter.find()) {
            described.put(
                    parameter.group(1),
                    parameter
                            .group(2)
                            .replaceAll("\\s+\\* +", " ")
                            .replaceAll("\\{@code ([^}]*)}", "`$1`")
                            .strip());
        }
        return described;
    }
}
