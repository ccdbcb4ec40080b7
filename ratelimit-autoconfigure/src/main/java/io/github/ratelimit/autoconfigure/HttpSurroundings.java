/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** What an application says about its HTTP that matters to callers and path rules. */
final class HttpSurroundings {

    private static final String OWN_PORT = "server:";

    private HttpSurroundings() {}

    /**
     * Where the actuator answers within the application: at its own path, or at those of its endpoints if it has none, and where
     * probes that do not know that ask for health.
     *
     * @param servletPath what stands before all of them
     * @param endpoints the paths of the endpoints, asked for only where there is an actuator
     */
    static List<String> actuatorPaths(Environment environment, String servletPath, Supplier<List<String>> endpoints) {
        List<String> paths = new ArrayList<>(healthPaths(environment));
        if (isBesideActuator(environment)) {
            String own = environment.getProperty("management.endpoints.web.base-path", "/actuator");
            paths.addAll(clean(own).isEmpty() ? endpoints.get() : List.of(own));
        }
        return paths.stream()
                .map(HttpSurroundings::clean)
                .filter(path -> !path.isEmpty())
                .map(clean(servletPath)::concat)
                .toList();
    }

    /** Paths of the application's own port, whatever port the actuator has. */
    private static List<String> healthPaths(Environment environment) {
        List<String> paths = new ArrayList<>();
        if (!hasActuator()) {
            return paths;
        }
        if (environment.getProperty("management.endpoint.health.probes.add-additional-paths", Boolean.class, false)) {
            paths.addAll(List.of("/livez", "/readyz"));
        }
        Binder.get(environment)
                .bind("management.endpoint.health.group", Bindable.mapOf(String.class, String.class))
                .orElse(Map.of())
                .forEach((name, value) -> {
                    boolean path =
                            name.toLowerCase(Locale.ROOT).replace("-", "").endsWith(".additionalpath");
                    if (path && value.startsWith(OWN_PORT)) {
                        paths.add(value.substring(OWN_PORT.length()));
                    }
                });
        return paths;
    }

    private static boolean isBesideActuator(Environment environment) {
        return hasActuator() && !hasTwoPorts(environment);
    }

    private static boolean hasActuator() {
        String endpoint = "org.springframework.boot.actuate.endpoint.annotation.Endpoint";
        return ClassUtils.isPresent(endpoint, HttpSurroundings.class.getClassLoader());
    }

    /** As Boot decides: two ports that are left to chance are two. */
    private static boolean hasTwoPorts(Environment environment) {
        Integer management = environment.getProperty("management.server.port", Integer.class);
        return management != null
                && (management == 0 || !management.equals(environment.getProperty("server.port", Integer.class, 8080)));
    }

    /** With one slash before it and none behind; nothing for the application's root, which is no path of the actuator's alone. */
    private static String clean(String path) {
        String names = StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(path, '/'), '/');
        return names.isEmpty() ? "" : "/" + names;
    }

    /** Whether the server itself may read forwarding headers: it was told to, or finds itself where that is usual. */
    static boolean serverReadsForwarding(Environment environment) {
        String strategy = environment.getProperty("server.forward-headers-strategy");
        if (strategy != null) {
            return strategy.equalsIgnoreCase("native");
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }
}
