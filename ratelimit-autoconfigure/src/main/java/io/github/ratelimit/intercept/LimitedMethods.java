/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.tuning.LimitCatalog;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;

/** Every method with limits, each worked out once: at start, or at the first call where that comes earlier. */
public final class LimitedMethods {

    private final LimitCatalog catalog;
    private final CallExpressions expressions;
    private final Statements statements;
    private final FallbackFinder fallbacks;
    private final Passages passages;
    private final Map<MethodClassKey, Optional<LimitedMethod>> known = new ConcurrentHashMap<>();

    /**
     * The methods of an application.
     *
     * @param catalog where the limits that annotations state are registered
     * @param expressions parses and checks
     * @param door decides
     * @param executor where calls go on that had to wait without blocking
     * @param beans where fallbacks live
     * @param placeholders resolves {@code ${…}}
     */
    public LimitedMethods(
            LimitCatalog catalog,
            CallExpressions expressions,
            Door door,
            Executor executor,
            ConfigurableListableBeanFactory beans,
            UnaryOperator<String> placeholders) {
        this.catalog = catalog;
        this.expressions = expressions;
        this.statements = new Statements(placeholders);
        this.fallbacks = new FallbackFinder(beans);
        this.passages = new Passages(door, executor, beans);
    }

    /** The method as it is limited on beans of this class, or {@code null} if it is not. */
    @Nullable
    LimitedMethod of(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LimitedMethod> found = known.get(key);
        if (found == null) {
            found = Optional.ofNullable(AnnotatedPlace.of(method, targetClass))
                    .map(place -> resolve(place, targetClass));
            known.put(key, found);
        }
        return found.orElse(null);
    }

    private LimitedMethod resolve(AnnotatedPlace place, Class<?> targetClass) {
        List<MethodLimit> limits = new ArrayList<>();
        Duration maxWait = null;
        for (RateLimited annotation : place.annotations()) {
            limits.add(limit(annotation, place, targetClass));
            maxWait = shorter(maxWait, statements.maxWait(annotation, place));
        }
        return new LimitedMethod(
                place,
                targetClass,
                limits,
                maxWait,
                passages.of(place.method(), targetClass),
                name -> catalog.base(name).limit().name());
    }

    private MethodLimit limit(RateLimited annotation, AnnotatedPlace place, Class<?> targetClass) {
        Method method = place.written();
        String stated = statements.name(annotation, place);
        String name = stated.isEmpty() ? MethodText.kebab(place.owner(), method) : stated;
        catalog.register(name, !stated.isEmpty(), statements.settings(annotation, place), place.describe());
        return new MethodLimit(
                name,
                expressions.key(annotation.key(), method),
                expressions.cost(annotation.cost(), method),
                expressions.condition(annotation.condition(), method),
                expressions.plan(annotation.plan(), method),
                fallbacks.find(statements.fallback(annotation, place), place, targetClass));
    }

    /** Of several stated waits the shortest holds for the call. */
    private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Every limited method that is known by now, with the names of its limits. */
    public SortedMap<String, List<String>> limitNames() {
        SortedMap<String, List<String>> names = new TreeMap<>();
        known.values()
                .forEach(found -> found.ifPresent(method -> names.put(
                        method.describe(),
                        method.limits().stream()
                                .map(limit -> catalog.base(limit.name()).limit().name())
                                .toList())));
        return names;
    }

    /** Once all limits are known: refuses what only shows then. */
    void check(LimitedMethod method) {
        checkCost(method);
        EndlessFallbacks.check(method, this::of);
    }

    /** A cost that can never be granted, on no plan, is a mistake. */
    private void checkCost(LimitedMethod method) {
        for (int i = 0; i < method.limits().size(); i++) {
            MethodLimit limit = method.limits().get(i);
            OptionalLong cost = limit.cost().constant();
            if (cost.isPresent() && cost.getAsLong() > catalog.statedCapacity(limit.name())) {
                throw tooDear(method, method.annotation(i).cost(), cost.getAsLong(), limit.name());
            }
        }
    }

    private InvalidAnnotationException tooDear(LimitedMethod method, String written, long cost, String limit) {
        return new InvalidAnnotationException(
                method.stated(),
                "cost",
                written,
                (written.equals(Long.toString(cost)) ? "is more" : "is " + cost + ", more") + " than limit '" + limit
                        + "' can ever hold, which is " + catalog.statedCapacity(limit),
                "Lower the cost, or raise permits (or burst, for a bucket) of ratelimit.limits." + limit + ".");
    }

    /** The start line of a method: which limits hold, with which numbers, and who states them. */
    String describe(LimitedMethod method) {
        return method.limits().stream()
                .map(limit -> "'%s': %s, %s"
                        .formatted(
                                limit.name(), catalog.base(limit.name()).describe(method.maxWait()), limit.describe()))
                .collect(Collectors.joining("; and by ", method.describe() + " is limited by ", ""));
    }
}
