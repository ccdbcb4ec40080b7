/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs.shop;

import org.jspecify.annotations.Nullable;

/** Who is on which plan: nobody. */
public class Tenants {

    /** The plan. */
    public @Nullable String planOf(String tenantId) {
        return null;
    }
}
