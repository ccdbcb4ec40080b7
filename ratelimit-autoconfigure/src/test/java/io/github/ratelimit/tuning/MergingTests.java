/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Numbers merge field by field: defaults, annotation, property, override, plan, override of the plan. */
class MergingTests {

    private static final Overrides.Target LIMIT = new Overrides.Target("orders", null);
    private static final Overrides.Target GOLD = new Overrides.Target("orders", "gold");

    @Test
    void eachFieldComesFromTheStrongestThatStatesIt() {
        LimitCatalog catalog = catalog(
                LimitSettings.of(Algorithm.LEAKY_BUCKET, numbers(1L, Duration.ofSeconds(1), null), null, null),
                property(numbers(3L, null, null), Map.of("gold", numbers(null, null, 9L))));
        catalog.register(
                "orders",
                true,
                LimitSettings.of(Algorithm.TOKEN_BUCKET, numbers(2L, Duration.ofSeconds(2), 7L), null, null),
                "A.a()");
        catalog.definitions().override(new Overrides(Map.of(LIMIT, numbers(null, Duration.ofSeconds(4), null))));
        catalog.check();

        EffectiveLimit base = catalog.base("orders");
        assertThat(base.describe())
                .isEqualTo("token-bucket (annotation), permits 3 (limits.orders), period 4s (override),"
                        + " burst 7 (annotation)");
        assertThat(gold(catalog).describe())
                .isEqualTo("token-bucket (annotation), permits 3 (limits.orders), period 4s (override),"
                        + " burst 9 (limits.orders.plans.gold)");
        assertThat(gold(catalog).limit().plan()).isEqualTo("gold");
        assertThat(base.limit().plan()).isNull();
    }

    @Test
    void overrideOfThePlanIsTheStrongest() {
        LimitCatalog catalog =
                catalog(LimitSettings.NONE, property(numbers(3L, null, null), Map.of("gold", numbers(30L, null, 9L))));
        catalog.definitions()
                .override(new Overrides(Map.of(
                        LIMIT,
                        numbers(5L, null, null),
                        new Overrides.Target("ORDERS", "Gold"),
                        numbers(50L, null, null))));

        assertThat(catalog.base("orders").limit().permits()).isEqualTo(5);
        assertThat(gold(catalog).describe())
                .isEqualTo("token-bucket (defaults), permits 50 (override of plan gold), period 1m (defaults),"
                        + " burst 9 (limits.orders.plans.gold)");

        catalog.definitions().override(Overrides.NONE);
        assertThat(catalog.base("orders").limit().permits()).isEqualTo(3);
    }

    @Test
    void burstStatedNowhereIsThePermits() {
        LimitCatalog catalog = catalog(LimitSettings.NONE, property(numbers(3L, null, null), Map.of()));

        assertThat(catalog.base("orders").limit().burst()).isEqualTo(3);
        assertThat(catalog.base("orders").burst()).isEqualTo(Origin.PERMITS);

        catalog.definitions().override(new Overrides(Map.of(LIMIT, numbers(5L, null, null))));
        assertThat(catalog.base("orders").limit().burst()).isEqualTo(5);
    }

    @Test
    void overrideOfTheLimitLeavesAStatedBurst() {
        LimitCatalog catalog = catalog(LimitSettings.NONE, property(numbers(3L, null, 7L), Map.of()));
        catalog.definitions().override(new Overrides(Map.of(LIMIT, numbers(5L, null, null))));

        assertThat(catalog.base("orders").limit().burst()).isEqualTo(7);
    }

    @Test
    void planWithPermitsAloneBringsItsOwnBurst() {
        LimitCatalog catalog =
                catalog(LimitSettings.NONE, property(numbers(3L, null, 7L), Map.of("gold", numbers(30L, null, null))));

        assertThat(gold(catalog).limit().burst()).isEqualTo(30);
        assertThat(gold(catalog).burst()).isEqualTo(Origin.PERMITS);

        catalog.definitions().override(new Overrides(Map.of(GOLD, numbers(50L, null, null))));
        assertThat(gold(catalog).limit().burst()).isEqualTo(50);
    }

    @Test
    void planWithoutPermitsKeepsTheBurst() {
        LimitCatalog catalog = catalog(
                LimitSettings.NONE,
                property(numbers(3L, null, 7L), Map.of("gold", numbers(null, Duration.ofSeconds(9), null))));

        assertThat(gold(catalog).limit().burst()).isEqualTo(7);
        assertThat(gold(catalog).burst()).isEqualTo(Origin.LIMIT);
    }

    @Test
    void propertyBeatsTheAnnotationForAttributesOfTheLimit() {
        LimitSettings stated = LimitSettings.of(
                Algorithm.FIXED_WINDOW, numbers(3L, null, null), Duration.ofSeconds(5), FailurePolicy.ALLOW);
        LimitCatalog catalog = catalog(LimitSettings.NONE, stated);
        catalog.register(
                "orders",
                true,
                LimitSettings.of(Algorithm.TOKEN_BUCKET, Numbers.NONE, Duration.ofSeconds(1), FailurePolicy.DENY),
                "A.a()");

        Limit limit = catalog.base("orders").limit();
        assertThat(limit.algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
        assertThat(limit.penalty()).hasSeconds(5);
        assertThat(limit.onStoreFailure()).isEqualTo(FailurePolicy.ALLOW);
    }

    @Test
    void whatHoldsForAllLimitsHoldsWhereTheLimitSaysNothing() {
        LimitSettings orders = property(numbers(3L, null, null), Map.of());
        LimitCatalog catalog = new LimitCatalog(
                new Tuning(LimitSettings.NONE, Map.of("orders", orders), true, StoreKind.LOCAL, FailurePolicy.DENY),
                (limit, key) -> null);

        Limit limit = catalog.base("orders").limit();
        assertThat(limit.shadow()).isTrue();
        assertThat(limit.perInstance()).isTrue();
        assertThat(limit.onStoreFailure()).isEqualTo(FailurePolicy.DENY);
    }

    @Test
    void limitMayCountPerInstance() {
        LimitCatalog catalog = catalog(LimitSettings.NONE, store(StoreKind.LOCAL));

        assertThat(catalog.base("orders").limit().perInstance()).isTrue();
        assertThat(catalog(LimitSettings.NONE, store(StoreKind.REDIS))
                        .base("orders")
                        .limit()
                        .perInstance())
                .isFalse();
    }

    @Test
    void limitCannotHaveRedisWhereThereIsNone() {
        LimitCatalog catalog = new LimitCatalog(
                new Tuning(
                        LimitSettings.NONE,
                        Map.of("orders", store(StoreKind.REDIS)),
                        false,
                        StoreKind.LOCAL,
                        FailurePolicy.LOCAL),
                (limit, key) -> null);

        assertThat(mistakeOf(catalog).place()).isEqualTo("ratelimit.limits.orders.store");
    }

    @Test
    void mistakeNamesWhoMadeIt() {
        Numbers nothing = numbers(0L, null, null);
        Numbers fine = numbers(3L, null, null);

        assertThat(mistakeOf(catalog(LimitSettings.of(null, nothing, null, null), property(Numbers.NONE, Map.of())))
                        .place())
                .isEqualTo("ratelimit.defaults.permits");
        assertThat(mistakeOf(catalog(LimitSettings.NONE, property(nothing, Map.of())))
                        .place())
                .isEqualTo("ratelimit.limits.orders.permits");
        assertThat(mistakeOf(catalog(LimitSettings.NONE, property(fine, Map.of("gold", nothing))))
                        .place())
                .isEqualTo("ratelimit.limits.orders.plans.gold.permits");
        LimitCatalog derived = new LimitCatalog(
                new Tuning(
                        LimitSettings.of(null, nothing, null, null),
                        Map.of(),
                        false,
                        StoreKind.REDIS,
                        FailurePolicy.LOCAL),
                (limit, key) -> null);
        derived.register("a-a", false, LimitSettings.NONE, "A.a()");
        assertThat(mistakeOf(derived).place()).isEqualTo("ratelimit.defaults.permits");
        LimitCatalog annotated = catalog(LimitSettings.NONE, property(Numbers.NONE, Map.of()));
        annotated.register("orders", true, LimitSettings.of(null, nothing, null, null), "A.a()");
        assertThat(mistakeOf(annotated).place()).isEqualTo("A.a()");
    }

    @Test
    void planMayNotHaveABurstOnAWindow() {
        LimitSettings window = new LimitSettings(
                Algorithm.FIXED_WINDOW,
                3L,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Map.of("gold", numbers(30L, null, 9L)),
                Map.of());

        assertThat(mistakeOf(catalog(LimitSettings.NONE, window)).place())
                .isEqualTo("ratelimit.limits.orders.plans.gold.burst");
    }

    private static EffectiveLimit gold(LimitCatalog catalog) {
        return Objects.requireNonNull(catalog.plans("orders").get("gold"));
    }

    private static LimitCatalog catalog(LimitSettings defaults, LimitSettings orders) {
        return new LimitCatalog(
                new Tuning(defaults, Map.of("orders", orders), false, StoreKind.REDIS, FailurePolicy.LOCAL),
                (limit, key) -> null);
    }

    private static LimitSettings property(Numbers numbers, Map<String, Numbers> plans) {
        return new LimitSettings(
                null,
                numbers.permits(),
                numbers.period(),
                numbers.burst(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                plans,
                Map.of());
    }

    private static LimitSettings store(StoreKind store) {
        return new LimitSettings(
                null, 3L, null, null, null, null, null, null, null, null, null, null, null, null, store, null, null,
                Map.of(), Map.of());
    }

    private static Numbers numbers(@Nullable Long permits, @Nullable Duration period, @Nullable Long burst) {
        return new Numbers(permits, period, burst);
    }

    private static InvalidLimitException mistakeOf(LimitCatalog catalog) {
        return catchThrowableOfType(InvalidLimitException.class, catalog::check);
    }
}
