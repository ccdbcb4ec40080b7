/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says which properties are unknown, where they are written, and what was probably meant. Speaks before Boot's own. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(RateLimitProperties.PREFIX);

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, UnboundConfigurationPropertiesException cause) {
        Collection<ConfigurationProperty> unknown = cause.getUnboundProperties();
        if (unknown.isEmpty() || !unknown.stream().allMatch(property -> ROOT.isAncestorOf(property.getName()))) {
            return null;
        }
        PropertyAdvice advice = new PropertyAdvice();
        String description = unknown.stream()
                .map(property -> describe(property, advice))
                .collect(Collectors.joining("%n%n".formatted(), "Nothing uses these properties:%n%n".formatted(), ""));
        return new FailureAnalysis(
                description, "Correct or remove them: a limit that is written and not read protects nothing.", cause);
    }

    private static String describe(ConfigurationProperty property, PropertyAdvice advice) {
        String text = "    Property: %s%n    Value: \"%s\"%n    Origin: %s"
                .formatted(property.getName(), property.getValue(), property.getOrigin());
        return text + "%n    Remedy: %s".formatted(remedy(property, advice));
    }

    private static String remedy(ConfigurationProperty property, PropertyAdvice advice) {
        ConfigurationPropertyName name = property.getName();
        boolean variable = isVariable(property.getOrigin());
        String cure = variable ? advice.withoutDashes(name) : advice.inBrackets(name);
        if (cure != null) {
            return variable
                    ? "Leave out dashes in environment variables: " + cure
                    : "A dot splits a name unless it is in brackets: %s (in YAML with quotes: \"[%s]\":)"
                            .formatted(cure, cure.substring(cure.indexOf('[') + 1, cure.indexOf(']')));
        }
        String nearest = advice.nearest(name);
        List<String> beside = advice.beside(name);
        return (nearest == null
                        ? "There is no property of a similar name."
                        : "The nearest known name is " + nearest + ".")
                + (beside.isEmpty()
                        ? ""
                        : " Known under %s: %s.".formatted(name.getParent(), String.join(", ", beside)));
    }

    private static boolean isVariable(@Nullable Origin origin) {
        return origin instanceof SystemEnvironmentOrigin
                || (origin instanceof PropertySourceOrigin wrapped && isVariable(wrapped.getOrigin()));
    }
}
