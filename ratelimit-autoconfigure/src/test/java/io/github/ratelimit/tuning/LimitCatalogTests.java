/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PlanResolver;
import io.github.ratelimit.UnknownLimitException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which limits there are, who defines them, and when they change. */
class LimitCatalogTests {

    private static final PlanResolver NOBODY = (limit, key) -> null;
    private static final LimitSettings COMPLETE = annotation(5L, Duration.ofSeconds(1), null);

    @Test
    void propertyDefinesALimit() {
        LimitCatalog catalog = catalog(Map.of("orders", property(5L, null)));

        assertThat(catalog.isDefined("orders")).isTrue();
        assertThat(catalog.names()).containsExactly("orders");
    }

    @Test
    void annotationWithPermitsAndPeriodDefinesALimit() {
        LimitCatalog catalog = catalog(Map.of());
        catalog.register("orders", true, COMPLETE, "A.a()");

        assertThat(catalog.isDefined("orders")).isTrue();
        assertThat(numbers(catalog, "orders").permits()).isEqualTo(5);
    }

    @Test
    void annotationWithPermitsAloneDefinesNothing() {
        LimitCatalog catalog = catalogWithDefaults(100L);
        catalog.register("orders", true, annotation(5L, null, null), "A.a()");

        assertThat(catalog.isDefined("orders")).isFalse();
        assertThat(catalog.names()).isEmpty();
        assertThatExceptionOfType(UnknownLimitException.class).isThrownBy(() -> numbers(catalog, "orders"));
    }

    @Test
    void explicitNameDoesNotLiveOnDefaults() {
        LimitCatalog catalog = catalogWithDefaults(100L);
        catalog.register("payments", true, COMPLETE, "A.b()");
        catalog.register("payment", true, LimitSettings.NONE, "A.a()");

        InvalidLimitException mistake = mistakeOf(catalog::check);

        assertThat(mistake.limit()).isEqualTo("payment");
        assertThat(mistake.attribute()).isEqualTo("name");
        assertThat(mistake.place()).isEqualTo("A.a()");
        assertThat(mistake.problem()).isEqualTo("is defined nowhere");
        assertThat(mistake.remedy())
                .contains("Did you mean 'payments'?")
                .contains("Define ratelimit.limits.payment with permits and period, or state both in the annotation.")
                .contains("Defined are: payments.");
    }

    @Test
    void derivedNameLivesOnDefaults() {
        LimitCatalog catalog = catalogWithDefaults(100L);
        catalog.register("order-controller-create", false, LimitSettings.NONE, "OrderController.create()");
        catalog.check();

        assertThat(numbers(catalog, "order-controller-create").permits()).isEqualTo(100);
        assertThat(catalog.isDefined("order-controller-create")).isTrue();
    }

    @Test
    void limitWithoutPermitsAnywhereIsRefused() {
        LimitCatalog catalog = catalog(Map.of());
        catalog.register("order-controller-create", false, LimitSettings.NONE, "OrderController.create()");

        InvalidLimitException mistake = mistakeOf(catalog::check);

        assertThat(mistake.attribute()).isEqualTo("permits");
        assertThat(mistake.place()).isEqualTo("OrderController.create()");
        assertThat(mistake.problem()).isEqualTo("are stated nowhere");
    }

    @Test
    void namesMatchAsPropertiesDo() {
        LimitCatalog catalog = catalog(Map.of("ordersApi", property(5L, null)));
        catalog.register("orders-api", true, annotation(null, null, FailurePolicy.DENY), "A.a()");
        catalog.check();

        assertThat(numbers(catalog, "orders-api")).isSameAs(numbers(catalog, "ORDERS_API"));
        assertThat(numbers(catalog, "orders-api").onStoreFailure()).isEqualTo(FailurePolicy.DENY);
        assertThat(catalog.names()).containsExactly("ordersApi");
    }

    @Test
    void environmentVariableBesideAPropertyIsTheSameLimit() {
        LimitCatalog catalog = catalog(Map.of("ordersapi", property(5L, null), "orders-api", property(5L, null)));

        assertThat(catalog.names()).containsExactly("orders-api");
    }

    @Test
    void twoEntriesOfOneNameThatDifferAreRefused() {
        InvalidLimitException mistake =
                mistakeOf(() -> catalog(Map.of("ordersApi", property(5L, null), "orders-api", property(7L, null))));

        assertThat(mistake.problem()).contains("is the same limit as");
    }

    @Test
    void annotationsOfOneNameMayRepeatEachOther() {
        LimitCatalog catalog = catalog(Map.of());
        catalog.register("orders", true, COMPLETE, "A.a()");
        catalog.register("orders", true, COMPLETE, "A.b()");
        catalog.register("Orders", true, LimitSettings.NONE, "A.c()");
        catalog.check();

        assertThat(numbers(catalog, "orders").permits()).isEqualTo(5);
    }

    @Test
    void annotationsOfOneNameMayNotContradict() {
        LimitCatalog catalog = catalog(Map.of("orders", property(9L, null)));
        catalog.register("orders", true, COMPLETE, "A.a()");

        InvalidLimitException mistake = mistakeOf(
                () -> catalog.register("orders", true, annotation(null, Duration.ofMinutes(2), null), "A.b()"));

        assertThat(mistake.place()).isEqualTo("A.b()");
        assertThat(mistake.attribute()).isEqualTo("period");
        assertThat(mistake.value()).isEqualTo("2m");
        assertThat(mistake.problem()).isEqualTo("contradicts 1s, which A.a() states for the same limit");
        assertThat(mistake.remedy()).contains("ratelimit.limits.orders.period");
    }

    @Test
    void twoMethodsMayNotDeriveOneName() {
        LimitCatalog catalog = catalog(Map.of());
        catalog.register("a-a", false, COMPLETE, "A.a(String)");
        catalog.register("a-a", false, COMPLETE, "A.a(String)");

        InvalidLimitException mistake = mistakeOf(() -> catalog.register("a-a", false, COMPLETE, "A.a(int)"));

        assertThat(mistake.place()).isEqualTo("A.a(int)");
        assertThat(mistake.problem())
                .isEqualTo("is derived from two methods, which would share one counter; the other is A.a(String)");
    }

    @Test
    void beanThatComesLateIsCheckedAtOnce() {
        LimitCatalog catalog = catalog(Map.of());
        catalog.check();

        assertThat(mistakeOf(() -> catalog.register("orders", true, LimitSettings.NONE, "A.a()"))
                        .place())
                .isEqualTo("A.a()");
        catalog.register("orders", true, COMPLETE, "A.a()");
        assertThat(numbers(catalog, "orders").permits()).isEqualTo(5);
    }

    @Test
    void limitIsWorkedOutBeforeTheStartIsComplete() {
        LimitCatalog catalog = catalog(Map.of("orders", property(5L, null)));
        assertThat(numbers(catalog, "orders").onStoreFailure()).isEqualTo(FailurePolicy.LOCAL);

        catalog.register("orders", true, annotation(null, null, FailurePolicy.DENY), "A.a()");

        assertThat(numbers(catalog, "orders").onStoreFailure()).isEqualTo(FailurePolicy.DENY);
    }

    @Test
    void limitIsWorkedOutOnce() {
        LimitCatalog catalog = catalog(Map.of("orders", property(5L, null)));
        catalog.check();

        assertThat(numbers(catalog, "orders")).isSameAs(numbers(catalog, "orders"));
    }

    @Test
    void unknownNameListsTheKnownOnes() {
        LimitCatalog catalog = catalog(Map.of("orders", property(5L, null), "carts", property(5L, null)));

        assertThatExceptionOfType(UnknownLimitException.class)
                .isThrownBy(() -> numbers(catalog, "order"))
                .withMessageContaining("'order'")
                .withMessageContaining("carts, orders")
                .satisfies(e -> assertThat(e.known()).containsExactly("carts", "orders"))
                .satisfies(e -> assertThat(e.limit()).isEqualTo("order"));
    }

    @Test
    void freshPropertiesHoldFromTheNextCall() {
        LimitCatalog catalog = catalog(Map.of("orders", property(5L, null), "carts", property(1L, null)));
        catalog.register("orders", true, annotation(null, null, FailurePolicy.DENY), "A.a()");
        catalog.check();

        catalog.refresh(Tuning.of(Map.of("orders", property(7L, null))));

        assertThat(numbers(catalog, "orders").permits()).isEqualTo(7);
        assertThat(numbers(catalog, "orders").onStoreFailure()).isEqualTo(FailurePolicy.DENY);
        assertThat(catalog.isDefined("carts")).isFalse();
        assertThatExceptionOfType(UnknownLimitException.class).isThrownBy(() -> numbers(catalog, "carts"));
    }

    @Test
    void freshPropertiesThatAreWrongChangeNothing() {
        LimitCatalog catalog = catalog(Map.of("orders", property(5L, null)));
        catalog.register("orders", true, LimitSettings.NONE, "A.a()");
        catalog.check();

        assertThat(mistakeOf(() -> catalog.refresh(Tuning.of(Map.of()))).problem())
                .isEqualTo("is defined nowhere");
        assertThat(mistakeOf(() -> catalog.refresh(Tuning.of(Map.of("orders", property(0L, null)))))
                        .place())
                .isEqualTo("ratelimit.limits.orders.permits");
        assertThat(numbers(catalog, "orders").permits()).isEqualTo(5);
    }

    @Test
    void nameKeepsTheSpellingItHadFirst() {
        LimitCatalog catalog = catalog(Map.of("orders-api", property(5L, null)));
        catalog.check();

        catalog.refresh(Tuning.of(Map.of("ordersApi", property(7L, null))));

        assertThat(numbers(catalog, "ordersApi").name()).isEqualTo("orders-api");
    }

    private static Limit numbers(LimitCatalog catalog, String name) {
        return catalog.numbersFor(name, null, Limit.EVERYONE);
    }

    private static LimitCatalog catalog(Map<String, LimitSettings> limits) {
        return new LimitCatalog(Tuning.of(limits), NOBODY);
    }

    private static LimitCatalog catalogWithDefaults(long permits) {
        LimitSettings defaults = LimitSettings.of(null, new Numbers(permits, null, null), null, null);
        return new LimitCatalog(new Tuning(defaults, Map.of(), false, StoreKind.REDIS, FailurePolicy.LOCAL), NOBODY);
    }

    private static LimitSettings property(@Nullable Long permits, @Nullable Algorithm algorithm) {
        return LimitSettings.of(algorithm, new Numbers(permits, null, null), null, null);
    }

    private static LimitSettings annotation(
            @Nullable Long permits, @Nullable Duration period, @Nullable FailurePolicy policy) {
        return LimitSettings.of(null, new Numbers(permits, period, null), null, policy);
    }

    private static InvalidLimitException mistakeOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable code) {
        return org.assertj.core.api.Assertions.catchThrowableOfType(InvalidLimitException.class, code);
    }
}
