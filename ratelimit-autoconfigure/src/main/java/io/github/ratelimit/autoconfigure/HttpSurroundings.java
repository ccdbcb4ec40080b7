/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** What an application says about its HTTP that matters to callers and path rules. */
final class HttpSurroundings {

    private HttpSurroundings() {}

    /** The path of the actuator within the application; {@code null} where there is none beside the application. */
    static @Nullable String actuatorPath(Environment environment, String servletPath) {
        String endpoint = "org.springframework.boot.actuate.endpoint.annotation.Endpoint";
        if (hasTwoPorts(environment) || !ClassUtils.isPresent(endpoint, HttpSurroundings.class.getClassLoader())) {
            return null;
        }
        String base = withoutSlash(environment.getProperty("management.endpoints.web.base-path", "/actuator"));
        return base.isEmpty() ? null : withoutSlash(servletPath) + base;
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
