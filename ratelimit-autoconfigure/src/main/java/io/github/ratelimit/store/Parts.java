/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import java.util.List;

/**
 * The parts of one store's answer, to be put back among those of others in the order of the call. There may be fewer
 * parts than charges, since charges of one counter have one part; their order is that of the charges.
 */
final class Parts {

    private final List<Decision> parts;
    private int next;

    Parts(List<Decision> parts) {
        this.parts = parts;
    }

    /** Appends the next part if it can be this charge's; else the charge was counted together with an earlier one. */
    void moveNext(Charge charge, List<Decision> all) {
        if (next < parts.size() && parts.get(next).limit().equals(charge.limit().name())) {
            all.add(parts.get(next++));
        }
    }
}
