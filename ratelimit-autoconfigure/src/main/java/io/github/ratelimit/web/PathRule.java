/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.expression.ConditionExpression;
import io.github.ratelimit.expression.KeyExpression;
import io.github.ratelimit.limiter.Ask;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.pattern.PathPattern;

/** Limits for a path, everything about them worked out at start. */
public final class PathRule {

    private final PathPattern pattern;
    private final boolean caseSensitive;
    private final Set<String> methods;
    private final List<String> limits;
    private final KeyExpression key;
    private final ConditionExpression condition;
    private final @Nullable String firstSegment;

    /**
     * A rule.
     *
     * @param pattern the paths
     * @param caseSensitive whether the pattern tells upper from lower case
     * @param methods the HTTP methods in upper case; none: all but the preflight requests of browsers
     * @param limits the limits' names
     * @param key who is counted
     * @param condition which requests are counted
     */
    public PathRule(
            PathPattern pattern,
            boolean caseSensitive,
            Set<String> methods,
            List<String> limits,
            KeyExpression key,
            ConditionExpression condition) {
        this.pattern = pattern;
        this.caseSensitive = caseSensitive;
        this.methods = Set.copyOf(methods);
        this.limits = List.copyOf(limits);
        this.key = key;
        this.condition = condition;
        this.firstSegment = firstSegment(pattern.getPatternString());
    }

    /** The literal name that all its paths begin with; {@code null} where it begins with a wildcard. */
    private static @Nullable String firstSegment(String pattern) {
        int end = pattern.indexOf('/', 1);
        String segment = end < 0 ? pattern.substring(1) : pattern.substring(1, end);
        boolean literal = !segment.isEmpty() && segment.chars().noneMatch(c -> "*?{}\\%;".indexOf(c) >= 0);
        return literal ? segment : null;
    }

    /**
     * Whether it may cover more than somebody had in mind: it begins with a wildcard. Such a rule leaves out static
     * resources and the actuator; a rule that names where they are means them.
     */
    boolean isWide() {
        return firstSegment == null;
    }

    boolean matches(RequestPaths paths, String method, boolean preflight) {
        if (appliesTo(method, preflight) && !(paths.isSingle() && beginsOtherwise(paths.text()))) {
            for (PathContainer path : paths.readings()) {
                if (beginsAlike(path) && pattern.matches(path)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whoever answers GET answers HEAD, with the same work. */
    private boolean appliesTo(String method, boolean preflight) {
        if (methods.isEmpty()) {
            return !preflight;
        }
        return methods.contains(method) || (method.equals("HEAD") && methods.contains("GET"));
    }

    /** Cheaper than the pattern, and enough for most requests that have nothing to do with the rule. */
    private boolean beginsAlike(PathContainer path) {
        if (firstSegment == null) {
            return true;
        }
        List<PathContainer.Element> elements = path.elements();
        if (elements.size() < 2 || !(elements.get(1) instanceof PathSegment segment)) {
            return false;
        }
        return caseSensitive
                ? firstSegment.equals(segment.valueToMatch())
                : firstSegment.equalsIgnoreCase(segment.valueToMatch());
    }

    /** The same for the text of a path that need not be parsed. */
    private boolean beginsOtherwise(String path) {
        if (firstSegment == null) {
            return false;
        }
        int end = 1 + firstSegment.length();
        return !path.regionMatches(!caseSensitive, 1, firstSegment, 0, firstSegment.length())
                || (path.length() > end && path.charAt(end) != '/');
    }

    /** Adds what the door is asked for a request of this caller. */
    void addAsks(RequestPaths paths, Caller caller, List<Ask> asks) {
        if (condition.isAlwaysTrue() || condition.holds(caller) || holdsAsSent(paths, caller)) {
            String counted = key.keyOf(caller);
            for (String limit : limits) {
                asks.add(new Ask(limit, null, counted, 1));
            }
        }
    }

    /** A path that the condition leaves out may be what another is cleaned to, whose handler would not be counted. */
    private boolean holdsAsSent(RequestPaths paths, Caller caller) {
        return !paths.sent().equals(paths.text()) && condition.holds(new CallerAsSent(caller, paths.sent()));
    }

    /** Upper case, whatever the language of the machine. */
    static String upper(String method) {
        return method.toUpperCase(Locale.ROOT);
    }
}
