/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.expression.Shop.Customer;
import io.github.ratelimit.expression.Shop.Level;
import io.github.ratelimit.expression.Shop.Order;
import io.github.ratelimit.expression.Written.Request;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cost, condition and plan. */
class CallValuesTests {

    private final Written written = new Written();

    static Stream<Arguments> costs() {
        return Stream.of(
                Arguments.of(0, 0L),
                Arguments.of(7L, 7L),
                Arguments.of((short) 7, 7L),
                Arguments.of((byte) 7, 7L),
                Arguments.of(7.0, 7L),
                Arguments.of(new BigDecimal("7.00"), 7L),
                Arguments.of(BigInteger.valueOf(7), 7L),
                Arguments.of(new AtomicInteger(7), 7L),
                Arguments.of(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("costs")
    void costIsAnyWholeNumber(Number value, long cost) {
        assertThat(written.costOf("#value", "values", value)).isEqualTo(cost);
    }

    static Stream<Arguments> unusableCosts() {
        return Stream.of(
                Arguments.of(null, "is null instead of a number"),
                Arguments.of("7", "is a java.lang.String instead of a number"),
                Arguments.of(-1, "is negative"),
                Arguments.of(Long.MIN_VALUE, "is negative"),
                Arguments.of(0.5, "is not a whole number"),
                Arguments.of(Double.NaN, "is not a whole number"),
                Arguments.of(1e19, "or too large"),
                Arguments.of(new BigDecimal("1E+2000000000"), "or too large"),
                Arguments.of(BigInteger.TWO.pow(70), "or too large"));
    }

    @ParameterizedTest
    @MethodSource("unusableCosts")
    void costThatIsNoneIsAnErrorOfTheCall(@Nullable Object value, String problem) {
        assertThatThrownBy(() -> written.costOf("#value", "values", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("io.github.ratelimit.expression.Shop.values(")
                .hasMessageContaining("cost = \"#value\"")
                .hasMessageContaining(problem);
    }

    @Test
    void constantCostIsKnownAtStart() {
        assertThat(written.cost("1", "batch").constant()).hasValue(1);
        assertThat(written.cost(" 2 * 3 ", "batch").constant()).hasValue(6);
        assertThat(written.cost("#batch.size()", "batch").constant()).isEmpty();
        assertThat(written.costOf("5", "batch", List.of())).isEqualTo(5);
    }

    @Test
    void costMayDependOnTheCall() {
        assertThat(written.costOf("#batch.size()", "batch", List.of("a", "b"))).isEqualTo(2);
        assertThat(written.costOf("#batch.size() * 10", "batch", List.of("a", "b")))
                .isEqualTo(20);
        assertThat(written.costOf("#boxed", "number", 1L, 5, 0.5)).isEqualTo(5);
        assertThatThrownBy(() -> written.costOf("#batch.size()", "batch", (Object) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reads 'size()' of something that is null");
    }

    @Test
    void conditionIsTrueOrFalse() {
        Order order = new Order(new Customer("c", 1, true), 200);

        assertThat(written.holds("#order.large", "order", "t", order)).isTrue();
        assertThat(written.holds("!#order.customer.vip", "order", "t", order)).isFalse();
        assertThat(written.holds("#order.size > 200", "order", "t", order)).isFalse();
        assertThat(written.holds("#value", "values", true)).isTrue();
        assertThat(written.condition("", "order").isAlwaysTrue()).isTrue();
        assertThat(written.condition("true", "order").isAlwaysTrue()).isTrue();
        assertThat(written.condition("false", "order").isAlwaysTrue()).isFalse();
        assertThat(written.condition("#order.large", "order").isAlwaysTrue()).isFalse();
    }

    @Test
    void conditionOfARuleSeesTheCaller() {
        ConditionExpression condition =
                written.expressions().condition("#caller.method == 'POST'", "ratelimit.http.rules[0]");

        assertThat(condition.holds(new Request("anna"))).isTrue();
    }

    @Test
    void conditionThatIsNeitherIsAnErrorOfTheCall() {
        assertThatThrownBy(() -> written.holds("#value", "values", "true"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("condition = \"#value\" is a java.lang.String instead of true or false");
        assertThatThrownBy(() -> written.holds("#value", "values", (Object) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is null instead of true or false");
        assertThatThrownBy(() -> written.holds("#order.size.foo > 1", "generic", new Order(null, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void planIsTextAnEnumConstantOrNone() {
        assertThat(written.planOf("'gold'", "order", "t", null)).isEqualTo("gold");
        assertThat(written.planOf("#tenantId", "order", "silver", null)).isEqualTo("silver");
        assertThat(written.planOf("#level", "level", Level.GOLD)).isEqualTo("GOLD");
        assertThat(written.planOf("#plan", "level", null, Optional.of("gold"))).isEqualTo("gold");
        assertThat(written.planOf("#plan", "level", null, Optional.empty())).isNull();
        assertThat(written.planOf("#tenantId", "order", " ", null)).isNull();
        assertThat(written.planOf("#tenantId", "order", null, null)).isNull();
        assertThat(written.planOf("", "order", "t", null)).isNull();
        assertThat(written.plan("", "order").isEmpty()).isTrue();
        assertThat(written.plan("'gold'", "order").isEmpty()).isFalse();
        assertThatThrownBy(() -> written.planOf("#value", "values", 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("plan = \"#value\" is a java.lang.Integer instead of the name of a plan");
    }
}
