/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds names that Boot would bind in silence to something else than what is written: two spellings of one name in one
 * place, of which one would be ignored, and map keys whose letters would be dropped.
 */
final class PropertySpelling {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(RateLimitProperties.PREFIX);
    private static final ConfigurationPropertyName LIMITS = ROOT.append("limits");
    private static final int OF_A_LIMIT = LIMITS.getNumberOfElements() + 1;
    private static final Pattern BRACKETS = Pattern.compile("\\[[^]]*]");
    private static final Pattern KEPT = Pattern.compile("[A-Za-z0-9._-]*");
    private static final Pattern UP_TO_ELEMENT = Pattern.compile("\\[[^]]*]|[^.\\[]+");

    private PropertySpelling() {}

    /** Environment variables have one spelling only. */
    static void check(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> place
                    && !(place instanceof SystemEnvironmentPropertySource)) {
                check(place);
            }
        }
    }

    private static void check(EnumerablePropertySource<?> place) {
        Map<ConfigurationPropertyName, String> spellings = new HashMap<>();
        for (String written : place.getPropertyNames()) {
            ConfigurationPropertyName name = adapted(written);
            if (ROOT.isAncestorOf(name)) {
                checkLetters(written);
                checkLimit(name, written, place.getProperty(written));
                for (String part : beginnings(written)) {
                    checkSpelling(spellings, part);
                }
            }
        }
    }

    private static void checkLetters(String written) {
        String outside = BRACKETS.matcher(written).replaceAll("");
        if (!KEPT.matcher(outside).matches()) {
            throw new InvalidPropertyException(
                    written,
                    null,
                    "has letters in its name that Spring Boot drops",
                    "Put brackets around that part of the name, and in YAML quotes around the brackets: \"[some@key]\".");
        }
    }

    /** Limits and plans are made of properties; one that is a value is an empty {@code orders:} in YAML, or a slip. */
    private static void checkLimit(ConfigurationPropertyName name, String written, @Nullable Object value) {
        if (LIMITS.isParentOf(name)) {
            throw new InvalidPropertyException(
                    written, value, "is no limit", "Write permits, period and the like under it, or remove it.");
        }
        if (isIn("plans", name) && name.getNumberOfElements() == OF_A_LIMIT + 2) {
            throw new InvalidPropertyException(
                    written, value, "is no plan", "Write permits, period or burst under it, or remove it.");
        }
    }

    /** Whether it stands below this property of a limit. */
    private static boolean isIn(String property, ConfigurationPropertyName name) {
        return LIMITS.isAncestorOf(name)
                && name.getNumberOfElements() > OF_A_LIMIT + 1
                && name.getElement(OF_A_LIMIT, Form.UNIFORM).equals(property);
    }

    private static void checkSpelling(Map<ConfigurationPropertyName, String> spellings, String written) {
        String other = spellings.putIfAbsent(adapted(written), written);
        if (other != null && !other.equals(written)) {
            throw new InvalidPropertyException(
                    written,
                    null,
                    "is the same name as " + other + ", in the same place",
                    "Case, '-' and '_' do not count in names: write it in one way. Names that do differ by those need"
                            + " brackets, in YAML with quotes around them: \"[some-Key]\".");
        }
    }

    /** The name and all its ancestors as they are written. A key of {@code keys} is one name, with whatever dots it has. */
    private static List<String> beginnings(String written) {
        List<String> beginnings = new ArrayList<>();
        UP_TO_ELEMENT.matcher(written).results().forEach(part -> beginnings.add(written.substring(0, part.end())));
        beginnings.removeIf(part -> !part.equals(written) && isIn("keys", adapted(part)));
        return beginnings;
    }

    private static ConfigurationPropertyName adapted(String written) {
        try {
            return ConfigurationPropertyName.adapt(written, '.');
        } catch (RuntimeException e) { // no property name at all
            return ConfigurationPropertyName.EMPTY;
        }
    }
}
