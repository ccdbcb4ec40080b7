/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.HttpProperties.Method;
import io.github.ratelimit.autoconfigure.HttpProperties.Rule;
import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Nearest;
import io.github.ratelimit.web.PathRule;
import io.github.ratelimit.web.PathRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Makes the path rules of {@code ratelimit.http.rules} before the application is ready, one start line each; a rule that
 * cannot work stops the start.
 */
final class HttpRules implements SmartInitializingSingleton, Supplier<PathRules> {

    private static final Logger log = LoggerFactory.getLogger(HttpRules.class);

    private final List<Rule> stated;
    private final LimitCatalog catalog;
    private final Supplier<CallExpressions> expressions;
    private final BooleanSupplier caseSensitive;
    private final Supplier<List<String>> actuator;
    private final SingletonSupplier<PathRules> rules = SingletonSupplier.of(this::resolve);

    /**
     * The rules of an application.
     *
     * @param stated what the properties say; none where limiting is off
     * @param catalog the limits
     * @param expressions parses keys and conditions
     * @param caseSensitive whether the application tells upper from lower case in paths
     * @param actuator the paths of the actuator, asked for when the rules are made; none: it is not served beside the application
     */
    HttpRules(
            List<Rule> stated,
            LimitCatalog catalog,
            Supplier<CallExpressions> expressions,
            BooleanSupplier caseSensitive,
            Supplier<List<String>> actuator) {
        this.stated = stated;
        this.catalog = catalog;
        this.expressions = expressions;
        this.caseSensitive = caseSensitive;
        this.actuator = actuator;
    }

    @Override
    public PathRules get() {
        return rules.obtain();
    }

    @Override
    public void afterSingletonsInstantiated() {
        get();
        for (int i = 0; i < stated.size(); i++) {
            log.info("{}", describe(i));
        }
    }

    private PathRules resolve() {
        List<PathRule> made = new ArrayList<>();
        for (int i = 0; i < stated.size(); i++) {
            made.add(rule(stated.get(i), place(i)));
        }
        return new PathRules(made, actuator.get());
    }

    private PathRule rule(Rule rule, String place) {
        for (String limit : rule.limits()) {
            checkDefined(limit, place);
        }
        String where = "ratelimit." + place;
        CallExpressions parser = expressions.get();
        PathPatternParser patterns = new PathPatternParser();
        boolean sensitive = caseSensitive.getAsBoolean();
        patterns.setCaseSensitive(sensitive);
        try {
            return new PathRule(
                    patterns.parse(path(rule)),
                    sensitive,
                    methods(rule),
                    rule.limits(),
                    parser.key(rule.key() == null ? "" : rule.key(), where),
                    parser.condition(rule.condition() == null ? "" : rule.condition(), where));
        } catch (PatternParseException e) {
            throw new InvalidPropertyException(
                    where + ".path",
                    rule.path(),
                    "is no pattern: " + e.getMessage(),
                    "Write it as in a controller's mapping: /api/**, /orders/{id}, /files/*.pdf.");
        }
    }

    /** A slash at the end is no difference that a limit should make. */
    private static String path(Rule rule) {
        String path = String.valueOf(rule.path());
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static Set<String> methods(Rule rule) {
        return rule.methods().stream().map(Method::name).collect(Collectors.toUnmodifiableSet());
    }

    private void checkDefined(String limit, String place) {
        String nearest = Nearest.to(limit, catalog.names());
        Checks.that(
                catalog.isDefined(limit),
                place + ".limits",
                limit,
                "names a limit that nobody defines",
                (nearest == null ? "" : "Did you mean '" + nearest + "'? ") + "Define ratelimit.limits." + limit
                        + " with permits and period.");
        catalog.askFor(limit, "ratelimit." + place + ".limits");
    }

    private String describe(int index) {
        Rule rule = stated.get(index);
        String methods =
                rule.methods().isEmpty() ? "" : rule.methods().stream().sorted().toList() + " ";
        String limits = rule.limits().stream()
                .map(limit -> "'%s': %s".formatted(limit, catalog.base(limit).describe()))
                .collect(Collectors.joining(" and by "));
        String who = rule.key() == null || rule.key().isBlank() ? "one counter for everyone" : "key " + rule.key();
        String when = rule.condition() == null ? "" : ", if " + rule.condition();
        String but = get().leaveOutMuch(index) ? "; static resources and the actuator are not counted" : "";
        return "ratelimit.%s: %s%s is limited by %s, %s%s%s"
                .formatted(place(index), methods, rule.path(), limits, who, when, but);
    }

    private static String place(int index) {
        return "http.rules[" + index + "]";
    }
}
