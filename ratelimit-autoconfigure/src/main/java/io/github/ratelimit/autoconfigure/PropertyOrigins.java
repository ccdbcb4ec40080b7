/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** Where properties are written. */
final class PropertyOrigins {

    private PropertyOrigins() {}

    /** The file and line, or what else is known; {@code null} where nothing is. */
    static @Nullable String of(String property, Environment environment) {
        if (!property.startsWith(RateLimitProperties.PREFIX + ".")) {
            return null;
        }
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found.getOrigin() == null ? null : found.getOrigin().toString();
            }
        }
        return null;
    }
}
