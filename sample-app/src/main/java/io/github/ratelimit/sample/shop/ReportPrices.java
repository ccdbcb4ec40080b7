/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What a report costs, and who has more permits for reports. */
@Component
class ReportPrices {

    private static final int ROWS_PER_PERMIT = 100;

    /** One permit for each hundred rows, begun ones included. */
    public int permitsFor(int rows) {
        return 1 + (Math.max(1, rows) - 1) / ROWS_PER_PERMIT;
    }

    /** Auditors read much. */
    public @Nullable String planOf(String tenantId) {
        return tenantId.startsWith("auditor-") ? "audit" : null;
    }
}
