/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.convert.ConverterNotFoundException;

/** Refuses values that Boot would bind to something else than what is written, or to nothing. */
final class StatedValues {

    private StatedValues() {}

    /** Of a number in YAML Boot drops the fraction. */
    static void checkWhole(ConfigurationPropertyName name, BindContext context, Object result) {
        if (!(result instanceof Long || result instanceof Integer)) {
            return;
        }
        ConfigurationProperty property = stated(name, context);
        if (property != null
                && property.getValue() instanceof Double written
                && written != ((Number) result).doubleValue()) {
            throw mistake(property, "is no whole number", "Write one without a fraction.");
        }
    }

    /**
     * A property without a value counts as not stated, so that a weaker place would decide, and that one may hide others:
     * the variable {@code RATELIMIT_LIMITS_ORDERS_PERMITS=} the number in the file.
     */
    static void checkEmpty(ConfigurationPropertyName name, Bindable<?> target, BindContext context) {
        Class<?> type = target.getType().toClass();
        if (type.isRecord() || Map.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type)) {
            return;
        }
        ConfigurationProperty property = stated(name, context);
        if (property != null) {
            throw mistake(property, "is empty", "Give it a value, or remove it.");
        }
    }

    /** A value, or none, where properties belong: {@code http: true}, or {@code http:} with all under it commented out. */
    static void checkGroup(ConfigurationPropertyName name, BindContext context, Exception error) {
        ConfigurationProperty property = error instanceof ConverterNotFoundException ? stated(name, context) : null;
        if (property != null) {
            throw mistake(property, "is no property by itself", "Write properties under it, or remove it.");
        }
    }

    /** What is written in the place that decides. */
    private static @Nullable ConfigurationProperty stated(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property;
            }
        }
        return null;
    }

    private static InvalidPropertyException mistake(ConfigurationProperty property, String problem, String remedy) {
        return new InvalidPropertyException(property.getName().toString(), property.getValue(), problem, remedy);
    }
}
