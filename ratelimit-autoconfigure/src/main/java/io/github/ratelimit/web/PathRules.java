/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.expression.Caller;
import io.github.ratelimit.limiter.Ask;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules for paths. All that match a request are decided together.
 *
 * <p>Static resources and the actuator are left out by rules that begin with a wildcard: {@code /**} means the application.
 */
public final class PathRules {

    private final List<PathRule> rules;
    private final List<String> actuator;

    /**
     * @param rules the rules, in their order
     * @param actuator the paths of the actuator; none: it is not served here
     */
    public PathRules(List<PathRule> rules, List<String> actuator) {
        this.rules = List.copyOf(rules);
        this.actuator = List.copyOf(actuator);
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** Whether this rule means the application only, without static resources and the actuator. */
    public boolean leaveOutMuch(int index) {
        return rules.get(index).isWide();
    }

    /**
     * The rules that hold for a request.
     *
     * @param paths its path
     * @param method its method
     * @param preflight whether it is a browser's question whether a request would be allowed
     */
    public List<PathRule> matching(RequestPaths paths, String method, boolean preflight) {
        String upper = PathRule.upper(method);
        List<PathRule> matching = List.of();
        for (PathRule rule : rules) {
            if (rule.matches(paths, upper, preflight)) {
                if (matching.isEmpty()) {
                    matching = new ArrayList<>(rules.size());
                }
                matching.add(rule);
            }
        }
        return matching;
    }

    /** Whether it has to be found out if the request asks for the actuator: some rule would then leave it out. */
    public boolean dependOnActuator(List<PathRule> matching, RequestPaths paths) {
        return !matching.isEmpty()
                && paths.isClean()
                && isWithinActuator(paths.text())
                && matching.stream().anyMatch(PathRule::isWide);
    }

    private boolean isWithinActuator(String text) {
        for (String path : actuator) {
            if (isWithin(path, text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWithin(String path, String text) {
        return text.startsWith(path) && (text.length() == path.length() || text.charAt(path.length()) == '/');
    }

    /** Whether it has to be found out if the request asks for a static resource: some rule would then leave it out. */
    public static boolean dependOnStatic(List<PathRule> matching, RequestPaths paths, String method) {
        boolean reads = method.equals("GET") || method.equals("HEAD");
        String text = paths.text();
        boolean file = text.indexOf('.', text.lastIndexOf('/') + 1) > 0;
        return reads && file && paths.isClean() && matching.stream().anyMatch(PathRule::isWide);
    }

    /** Of these rules those that hold for static resources and the actuator, too. */
    public static List<PathRule> notWide(List<PathRule> matching) {
        return matching.stream().filter(rule -> !rule.isWide()).toList();
    }

    /**
     * What the door is asked for a request.
     *
     * @throws io.github.ratelimit.InvalidRateLimitKeyException where the caller gives no key
     */
    public static List<Ask> asks(List<PathRule> matching, RequestPaths paths, Caller caller) {
        List<Ask> asks = new ArrayList<>();
        for (PathRule rule : matching) {
            rule.addAsks(paths, caller, asks);
        }
        return asks;
    }
}
