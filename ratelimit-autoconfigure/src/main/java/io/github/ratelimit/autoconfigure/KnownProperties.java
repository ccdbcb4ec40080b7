/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.core.ResolvableType;

/** The names of all properties, read off the records that hold them. A map's keys are written {@value #ANY}. */
final class KnownProperties {

    static final String ANY = "*";

    private static final String OURS = "io.github.ratelimit.";

    private final List<List<String>> names = new ArrayList<>();

    KnownProperties() {
        add(List.of(RateLimitProperties.PREFIX), RateLimitProperties.class);
    }

    /** Each name, element by element. */
    List<List<String>> names() {
        return names;
    }

    private void add(List<String> path, Type type) {
        ResolvableType resolvable = ResolvableType.forType(type);
        Class<?> raw = resolvable.toClass();
        if (Map.class.isAssignableFrom(raw)) {
            add(plus(path, ANY), ((ParameterizedType) type).getActualTypeArguments()[1]);
        } else if (List.class.isAssignableFrom(raw)
                && resolvable.getGeneric().toClass().isRecord()) {
            add(plus(path, ANY), ((ParameterizedType) type).getActualTypeArguments()[0]);
        } else if (raw.isRecord() && raw.getName().startsWith(OURS)) {
            addAll(path, raw.getDeclaredConstructors()[0]);
        } else {
            names.add(path);
        }
    }

    /** A parameter by itself tells no generic type on Java 17 where a later one has compiled the record. */
    private void addAll(List<String> path, Constructor<?> canonical) {
        Parameter[] parameters = canonical.getParameters();
        Type[] types = canonical.getGenericParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            add(plus(path, dashed(parameters[i].getName())), types[i]);
        }
    }

    private static List<String> plus(List<String> path, String element) {
        List<String> longer = new ArrayList<>(path);
        longer.add(element);
        return longer;
    }

    private static String dashed(String camel) {
        return camel.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
