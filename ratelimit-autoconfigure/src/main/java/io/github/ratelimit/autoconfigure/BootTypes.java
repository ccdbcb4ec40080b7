/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

/** Spring Boot's own types. Those of the actuator have another package on each of its lines. */
final class BootTypes {

    private static final String PACKAGE = "org.springframework.boot.";

    private BootTypes() {}

    /** Whether a type is Boot's, or extends one of its classes. */
    static boolean include(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().startsWith(PACKAGE)) {
                return true;
            }
        }
        return false;
    }
}
