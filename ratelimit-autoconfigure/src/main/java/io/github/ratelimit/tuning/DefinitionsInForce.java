/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.UnknownPlanException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What is stated about limits at this moment, with all limits worked out of it, replaced as a whole. Whatever changes it is
 * computed and checked first; a mistake leaves in force what was.
 */
final class DefinitionsInForce {

    private final ReentrantLock changing = new ReentrantLock();
    private final UnfitOverrides unfitOverrides = new UnfitOverrides();
    private final Consumer<Map<String, ResolvedLimit>> onResolved;
    private volatile Definitions definitions;
    private volatile Map<String, ResolvedLimit> resolved = Map.of();

    /** From the check on every change is complete, or refused. */
    private volatile boolean started;

    /**
     * Definitions that may still be incomplete.
     *
     * @param onResolved gets all limits by name whenever they are worked out anew
     */
    DefinitionsInForce(Definitions definitions, Consumer<Map<String, ResolvedLimit>> onResolved) {
        this.definitions = definitions;
        this.onResolved = onResolved;
    }

    Definitions now() {
        return definitions;
    }

    /**
     * Makes sure that every limit can be worked out, now and after every change.
     *
     * @throws InvalidLimitException naming the first mistake
     */
    void check() {
        started = true;
        change(now -> now);
    }

    /**
     * Replaces what is stated.
     *
     * @throws InvalidLimitException if a limit cannot be worked out from it; then nothing has changed
     */
    void change(UnaryOperator<Definitions> step) {
        changing.lock();
        try {
            Definitions next = step.apply(definitions);
            if (started) {
                var unused = next.with(Overrides.NONE).resolve(); // no override hides a mistake until it is removed
                next = unfitOverrides.leaveOut(next);
            }
            Map<String, ResolvedLimit> fresh = started ? next.resolve() : Map.of();
            definitions = next;
            putInForce(fresh);
        } finally {
            changing.unlock();
        }
    }

    /** What was set while running. */
    Overrides overrides() {
        return definitions.overrides();
    }

    /** The part of it that changes nothing, because this application has no such limit or plan any more. */
    Map<Overrides.Target, Numbers> idleOverrides() {
        Map<Overrides.Target, Numbers> idle = new HashMap<>(overrides().byTarget());
        idle.keySet().removeIf(target -> {
            ResolvedLimit limit = definitions.defines(target.limit()) ? find(target.limit()) : null;
            return limit != null && (target.plan() == null || limit.onPlan(target.plan()) != null);
        });
        return idle;
    }

    /**
     * Replaces all overrides.
     *
     * @throws InvalidLimitException if a limit cannot be worked out with them; then nothing has changed
     */
    void override(Overrides overrides) {
        changing.lock();
        try {
            tryOut(overrides);
            overrideWhereFitting(overrides);
        } finally {
            changing.unlock();
        }
    }

    /** Replaces all overrides but those of limits that cannot work with them, which are warned of. */
    void overrideWhereFitting(Overrides overrides) {
        change(now -> now.with(overrides));
    }

    /**
     * Works out all limits with these overrides, and changes nothing.
     *
     * @throws InvalidLimitException if a limit cannot be worked out with them
     */
    void tryOut(Overrides overrides) {
        if (started) {
            var unused = definitions.with(overrides).resolve();
        }
    }

    /**
     * Makes sure that there is such a limit, and a plan of it.
     *
     * @throws UnknownLimitException if nobody defines the limit
     * @throws UnknownPlanException if the limit has no such plan
     */
    void checkKnown(Overrides.Target target) {
        ResolvedLimit limit = find(target.limit());
        if (target.plan() != null && limit.onPlan(target.plan()) == null) {
            throw new UnknownPlanException(
                    limit.base().limit().name(), target.plan(), limit.plans().keySet());
        }
    }

    /** The base numbers of all limits that follow the load, by name. */
    Map<String, EffectiveLimit> adaptive() {
        Map<String, EffectiveLimit> adaptive = new HashMap<>();
        for (ResolvedLimit limit : resolved.values()) {
            if (limit.base().adaptive() != null) {
                adaptive.put(limit.base().limit().name(), limit.base());
            }
        }
        return adaptive;
    }

    /**
     * Sets how much of its numbers each adaptive limit asks for, in millionths; all, where nothing is said.
     *
     * @param shares by the limit's name
     */
    void adapt(Map<String, Integer> shares) {
        change(now -> now.at(shares));
    }

    /**
     * The limit of this name, however it is written.
     *
     * @throws UnknownLimitException if nobody defines it
     */
    ResolvedLimit find(String name) {
        ResolvedLimit known = resolved.get(name);
        if (known == null) {
            known = resolved.get(RelaxedNames.relaxed(name));
        }
        return known != null ? known : resolveEarly(name);
    }

    /** The way of a call that comes before the start is complete: works out this one limit. */
    private ResolvedLimit resolveEarly(String name) {
        changing.lock();
        try {
            if (!definitions.defines(name)) {
                throw new UnknownLimitException(name, definitions.names());
            }
            Map<String, ResolvedLimit> more = new HashMap<>(resolved);
            ResolvedLimit limit =
                    definitions.sources(RelaxedNames.relaxed(name)).resolve();
            limit.addTo(more);
            putInForce(more);
            return limit;
        } finally {
            changing.unlock();
        }
    }

    private void putInForce(Map<String, ResolvedLimit> limits) {
        resolved = limits;
        onResolved.accept(limits);
    }
}
