/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.build;

import java.util.List;

/**
 * One dependency as a build file declares it, in words that both builds share.
 *
 * @param scope {@code compile}, {@code optional}, {@code runtime}, {@code test} or {@code processor}
 * @param artifact group and name
 * @param version the version our own build states, or {@link #MANAGED}
 * @param exclusions what is left out, as group and name, {@code *} for any
 */
record DeclaredDependency(String scope, String artifact, String version, List<String> exclusions)
        implements Comparable<DeclaredDependency> {

    /** Spring Boot's platform states the version. */
    static final String MANAGED = "managed by Spring Boot";

    DeclaredDependency {
        exclusions = exclusions.stream().sorted().toList();
    }

    @Override
    public int compareTo(DeclaredDependency other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return artifact + " (" + scope + ", " + version + ")"
                + (exclusions.isEmpty() ? "" : " without " + String.join(", ", exclusions));
    }
}
