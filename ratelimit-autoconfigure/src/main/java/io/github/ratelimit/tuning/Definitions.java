/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is stated about limits, by whom so ever. Immutable; all maps go by the relaxed name.
 *
 * @param tuning what the properties say
 * @param overrides what was set while running
 * @param properties {@code ratelimit.limits}
 * @param annotated what annotations state
 * @param asked where limits are asked for by name, annotations aside
 * @param shares how much of its numbers each adaptive limit asks for, in millionths; all, where nothing is said
 * @param spellings how each limit's name is written; a limit keeps the spelling it had first, for its counters' sake
 */
record Definitions(
        Tuning tuning,
        Overrides overrides,
        Map<String, LimitSettings> properties,
        Map<String, AnnotatedLimit> annotated,
        Map<String, String> asked,
        Map<String, Integer> shares,
        Map<String, String> spellings) {

    static Definitions of(Tuning tuning) {
        return new Definitions(tuning, Overrides.NONE, Map.of(), Map.of(), Map.of(), Map.of(), Map.of()).with(tuning);
    }

    Definitions with(Tuning fresh) {
        Map<String, LimitSettings> byName = new HashMap<>();
        Map<String, String> spelled = new HashMap<>();
        fresh.limits().forEach((name, settings) -> {
            String relaxed = RelaxedNames.relaxed(name);
            LimitSettings other = byName.putIfAbsent(relaxed, settings);
            if (other != null && !other.equals(settings)) {
                throw twice(name, spelled.getOrDefault(relaxed, name));
            }
            spelled.merge(relaxed, name, RelaxedNames::better);
        });
        spelled.putAll(spellings);
        return new Definitions(fresh, overrides, byName, annotated, asked, shares, spelled);
    }

    Definitions with(Overrides fresh) {
        return new Definitions(tuning, fresh, properties, annotated, asked, shares, spellings);
    }

    /** The same with these shares, by how each limit is written. */
    Definitions at(Map<String, Integer> fresh) {
        Map<String, Integer> byName = new HashMap<>();
        fresh.forEach((name, share) -> byName.put(RelaxedNames.relaxed(name), share));
        return new Definitions(tuning, overrides, properties, annotated, asked, byName, spellings);
    }

    Definitions with(String name, AnnotatedLimit.Statement statement) {
        String relaxed = RelaxedNames.relaxed(name);
        Map<String, String> spelled = new HashMap<>(spellings);
        spelled.putIfAbsent(relaxed, name);
        AnnotatedLimit before = annotated.getOrDefault(relaxed, AnnotatedLimit.none(name));
        Map<String, AnnotatedLimit> more = new HashMap<>(annotated);
        more.put(relaxed, before.with(statement));
        return new Definitions(tuning, overrides, properties, more, asked, shares, spelled);
    }

    /** The same with somebody who asks for a limit by name. */
    Definitions askedFor(String name, String place) {
        Map<String, String> more = new HashMap<>(asked);
        more.putIfAbsent(name, place);
        return new Definitions(tuning, overrides, properties, annotated, more, shares, spellings);
    }

    boolean defines(String name) {
        String relaxed = RelaxedNames.relaxed(name);
        AnnotatedLimit stated = annotated.get(relaxed);
        return properties.containsKey(relaxed) || (stated != null && stated.defines());
    }

    /** How the names of all defined limits are written, sorted. */
    List<String> names() {
        return List.copyOf(new TreeSet<>(relaxedNames().stream()
                .map(name -> spellings.getOrDefault(name, name))
                .toList()));
    }

    Collection<String> relaxedNames() {
        Collection<String> names = new TreeSet<>(properties.keySet());
        names.addAll(annotated.keySet());
        names.removeIf(name -> !defines(name));
        return names;
    }

    Sources sources(String relaxed) {
        return new Sources(
                spellings.getOrDefault(relaxed, relaxed),
                annotated.get(relaxed),
                properties.get(relaxed),
                tuning,
                overrides,
                shares.getOrDefault(relaxed, Shrinking.WHOLE));
    }

    /**
     * All limits, worked out, by name.
     *
     * @throws InvalidLimitException if one cannot be, or is defined nowhere
     */
    Map<String, ResolvedLimit> resolve() {
        Map<String, ResolvedLimit> limits = new HashMap<>();
        checkDefined();
        relaxedNames().forEach(name -> sources(name).resolve().addTo(limits));
        return limits;
    }

    /** Whoever names a limit, by an annotation or otherwise, means one that somebody defines. */
    private void checkDefined() {
        for (String relaxed : new TreeSet<>(annotated.keySet())) {
            AnnotatedLimit limit = annotated.get(relaxed);
            AnnotatedLimit.@Nullable Statement naming = limit == null ? null : limit.explicit();
            if (limit != null && naming != null && !defines(relaxed)) {
                throw undefined(limit.name(), naming.place());
            }
        }
        new TreeMap<>(asked).forEach((name, place) -> {
            if (!defines(name)) {
                throw undefined(name, place);
            }
        });
    }

    /** Limits of the properties that nobody asks for, each with the one it was probably meant for, which has no property. */
    Map<String, String> perhapsMisspelt() {
        Set<String> wanted = new HashSet<>(annotated.keySet());
        asked.keySet().forEach(name -> wanted.add(RelaxedNames.relaxed(name)));
        List<String> bare = annotated.entrySet().stream()
                .filter(limit -> !properties.containsKey(limit.getKey()))
                .map(limit -> limit.getValue().name())
                .toList();
        Map<String, String> meant = new TreeMap<>();
        for (String relaxed : properties.keySet()) {
            String written = spellings.getOrDefault(relaxed, relaxed);
            String nearest = wanted.contains(relaxed) ? null : Nearest.to(written, bare);
            if (nearest != null) {
                meant.put(written, nearest);
            }
        }
        return meant;
    }

    private InvalidLimitException undefined(String name, String place) {
        List<String> known = names();
        List<String> hints = new ArrayList<>();
        String nearest = Nearest.to(name, known);
        hints.add(nearest == null ? "" : "Did you mean '" + nearest + "'? ");
        hints.add(
                "Define " + RelaxedNames.property(name) + " with permits and period, or state both in the annotation.");
        hints.add(known.isEmpty() ? " No limit is defined." : " Defined are: " + String.join(", ", known) + ".");
        return new InvalidLimitException(name, "name", "'" + name + "'", "is defined nowhere", String.join("", hints))
                .statedIn(place);
    }

    private static InvalidLimitException twice(String name, String other) {
        return new InvalidLimitException(
                        name,
                        "name",
                        "'" + name + "'",
                        "is the same limit as '" + other + "', and both are stated",
                        "Names match as properties do: case, '-' and '_' do not count. Write it in one way.")
                .statedIn(RelaxedNames.property(name));
    }
}
