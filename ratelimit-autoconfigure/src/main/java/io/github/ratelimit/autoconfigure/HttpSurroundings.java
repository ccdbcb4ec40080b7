/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** What an application says about its HTTP that matters to callers and path rules. */
final class HttpSurroundings {

    private static final String OWN_PORT = "server:";

    private HttpSurroundings() {}

    /** Where the actuator answers within the application: at its own path, and where probes that do not know that ask for health. */
    static List<String> actuatorPaths(Environment environment, String servletPath) {
        List<String> paths = new ArrayList<>();
        String own = actuatorPath(environment, servletPath);
        if (own != null) {
            paths.add(own);
        }
        healthPaths(environment).stream()
                .map(HttpSurroundings::withoutSlash)
                .filter(path -> !path.isEmpty())
                .forEach(path -> paths.add(withoutSlash(servletPath) + path));
        return paths;
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

    /** The path of the actuator within the application; {@code null} where there is none beside the application. */
    static @Nullable String actuatorPath(Environment environment, String servletPath) {
        if (hasTwoPorts(environment) || !hasActuator()) {
            return null;
        }
        String base = withoutSlash(environment.getProperty("management.endpoints.web.base-path", "/actuator"));
        return base.isEmpty() ? null : withoutSlash(servletPath) + base;
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

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
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
