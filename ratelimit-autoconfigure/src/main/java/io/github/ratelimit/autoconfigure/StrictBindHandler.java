/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses properties that nothing was bound to. Boot's handler does it for files, system properties and command lines.
 *
 * <p>Environment variables need their own rule. They are written without dashes or with {@code _} for them, so a bound
 * one may be listed under a name that looks unbound; and the environment is not ours alone (Kubernetes puts
 * {@code RATELIMIT_PORT} there for a service named ratelimit). So unknown ones are refused where only this library can be
 * meant, {@code RATELIMIT_LIMITS_…} and {@code RATELIMIT_DEFAULTS_…}, and told of in one warning elsewhere.
 */
final class StrictBindHandler extends NoUnboundElementsBindHandler {

    private static final Logger log = LoggerFactory.getLogger(StrictBindHandler.class);

    private static final List<ConfigurationPropertyName> SURELY_OURS = List.of(
            ConfigurationPropertyName.of(RateLimitProperties.PREFIX + ".limits"),
            ConfigurationPropertyName.of(RateLimitProperties.PREFIX + ".defaults"));

    private final Set<String> bound = new HashSet<>();

    StrictBindHandler() {
        super(new IgnoreTopLevelConverterNotFoundBindHandler(), source -> !isEnvironment(source));
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        bound.add(asVariable(name));
        StatedValues.checkWhole(name, context, result);
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        StatedValues.checkGroup(name, context, error);
        return super.onFailure(name, target, context, error);
    }

    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        if (result == null) {
            StatedValues.checkEmpty(name, target, context);
        }
        super.onFinish(name, target, context, result);
        if (context.getDepth() == 0) {
            checkEnvironment(name, context);
        }
    }

    private void checkEnvironment(ConfigurationPropertyName root, BindContext context) {
        Set<ConfigurationProperty> refused = new TreeSet<>();
        List<String> foreign = new ArrayList<>();
        for (ConfigurationPropertySource source : context.getSources()) {
            if (isEnvironment(source) && source instanceof IterableConfigurationPropertySource variables) {
                for (ConfigurationPropertyName name : variables) {
                    ConfigurationProperty variable =
                            isUnknown(root, name) ? source.getConfigurationProperty(name) : null;
                    if (variable == null) {
                        continue;
                    }
                    if (SURELY_OURS.stream().anyMatch(ours -> ours.isAncestorOf(name))) {
                        refused.add(variable);
                    } else {
                        foreign.add(String.valueOf(variable.getOrigin()));
                    }
                }
            }
        }
        if (!refused.isEmpty()) {
            throw new UnboundConfigurationPropertiesException(refused);
        }
        if (!foreign.isEmpty()) {
            log.warn("Ignored, since they are no properties of this library: {}", String.join(", ", foreign));
        }
    }

    private boolean isUnknown(ConfigurationPropertyName root, ConfigurationPropertyName name) {
        return root.isAncestorOf(name) && !bound.contains(asVariable(name)) && !isOverriddenInList(name);
    }

    /** A list is taken from one place as a whole: what another place says about its elements is overridden. */
    private boolean isOverriddenInList(ConfigurationPropertyName name) {
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            if (name.isNumericIndex(i) && bound.contains(asVariable(name.chop(i)))) {
                return isOfAnElement(name);
            }
        }
        return false;
    }

    /** Whether elements of a list have such a property, or are values themselves. */
    private static boolean isOfAnElement(ConfigurationPropertyName name) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            letters.append(name.isNumericIndex(i) ? KnownProperties.ANY : letters(name.getElement(i, Form.UNIFORM)));
        }
        return new KnownProperties()
                .names().stream()
                        .map(known -> String.join("", known).replace("-", ""))
                        .anyMatch(known -> letters.toString().equals(known)
                                || letters.toString().equals(known + KnownProperties.ANY));
    }

    /** Letters and digits only: what is left of a name in an environment variable, however it was written. */
    private static String asVariable(ConfigurationPropertyName name) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            letters.append(letters(name.getElement(i, Form.UNIFORM)));
        }
        return letters.toString();
    }

    private static String letters(String element) {
        return element.chars()
                .filter(Character::isLetterOrDigit)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }
}
