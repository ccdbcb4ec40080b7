/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** What somebody who wrote an unknown property probably meant. */
final class PropertyAdvice {

    private final List<List<String>> known = new KnownProperties().names();

    /**
     * The name with brackets around what was split at its dots, {@code ratelimit.limits[Some.name].permits}; {@code null}
     * where dots are not what is wrong: there are properties beside it, so what is unknown is its last element.
     */
    @Nullable
    String inBrackets(ConfigurationPropertyName unknown) {
        if (!beside(unknown).isEmpty()) {
            return null;
        }
        List<String> elements = elements(unknown, Form.ORIGINAL);
        for (List<String> name : known) {
            String bracketed = fit(name, 0, elements, 0, "");
            if (bracketed != null) {
                return bracketed;
            }
        }
        return null;
    }

    /** The environment variable for a name with dashes, which it cannot have; {@code null} as above. */
    @Nullable
    String withoutDashes(ConfigurationPropertyName unknown) {
        String bracketed = inBrackets(unknown);
        if (bracketed == null) {
            return null;
        }
        ConfigurationPropertyName meant = ConfigurationPropertyName.adapt(bracketed, '.');
        return String.join("_", elements(meant, Form.UNIFORM)).replace(".", "").toUpperCase(Locale.ROOT);
    }

    /** The nearest known name; {@code null} where none is near. */
    @Nullable
    String nearest(ConfigurationPropertyName unknown) {
        List<String> elements = elements(unknown, Form.DASHED);
        List<String> candidates =
                known.stream().map(name -> likeness(name, elements)).toList();
        String nearest = Nearest.to(String.join(".", elements), candidates);
        return nearest == null ? null : nearest.replaceAll("\\.(\\d+)(?=\\.|$)", "[$1]");
    }

    /** What there is beside the unknown name: the last elements of the known names that share its parent. */
    List<String> beside(ConfigurationPropertyName unknown) {
        List<String> parent = elements(unknown.getParent(), Form.DASHED);
        TreeSet<String> names = new TreeSet<>();
        for (List<String> name : known) {
            if (name.size() > parent.size() && matches(name.subList(0, parent.size()), parent)) {
                names.add(name.get(parent.size()));
            }
        }
        names.remove(KnownProperties.ANY);
        return List.copyOf(names);
    }

    /** Lays the elements along a known name, where one * may take several of them; at least one takes two. */
    private static @Nullable String fit(List<String> name, int at, List<String> elements, int from, String sofar) {
        if (at == name.size()) {
            return from == elements.size() && sofar.indexOf('[') >= 0 ? sofar : null;
        }
        if (from == elements.size()) {
            return null;
        }
        if (!name.get(at).equals(KnownProperties.ANY)) {
            return RelaxedElement.same(name.get(at), elements.get(from))
                    ? fit(name, at + 1, elements, from + 1, sofar.isEmpty() ? name.get(at) : sofar + "." + name.get(at))
                    : null;
        }
        for (int to = from + 1; to <= elements.size(); to++) {
            String key = String.join(".", elements.subList(from, to));
            String fitted =
                    fit(name, at + 1, elements, to, to == from + 1 ? sofar + "." + key : sofar + "[" + key + "]");
            if (fitted != null) {
                return fitted;
            }
        }
        return null;
    }

    private static String likeness(List<String> name, List<String> elements) {
        List<String> alike = new ArrayList<>(name);
        for (int i = 0; i < alike.size(); i++) {
            if (alike.get(i).equals(KnownProperties.ANY)) {
                alike.set(i, i < elements.size() ? elements.get(i) : "<name>");
            }
        }
        return String.join(".", alike);
    }

    private static boolean matches(List<String> name, List<String> elements) {
        return likeness(name, elements).equals(String.join(".", elements));
    }

    private static List<String> elements(ConfigurationPropertyName name, Form form) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            elements.add(name.getElement(i, form));
        }
        return elements;
    }

    /** Elements as Boot compares them. */
    private static final class RelaxedElement {

        static boolean same(String known, String written) {
            return known.replace("-", "")
                    .equals(written.toLowerCase(Locale.ROOT).replace("-", "").replace("_", ""));
        }
    }
}
