/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls suspending functions from coroutines; its Kotlin side is {@code kotlin/orders.kt}. */
public interface Coroutines {

    String find(String tenant);

    @Nullable
    String nothing();

    void unit();

    String withFallback(String tenant);

    String withPlainFallback(String tenant);

    /** What the fallback noted, and what the call returned. */
    List<String> unitWithPlainFallback(String tenant);

    /** Whether the call went ahead within so many milliseconds; later it is cancelled. */
    boolean patient(long millis);

    /** Calls with a value in the reactive context. */
    String ofTheContext(String key, String value);

    /** A flow, to be collected as often as it is asked for. */
    Supplier<List<String>> flow(String tenant);

    /** How often a body ran. */
    int bodies();
}
