/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What SpEL evaluates stays right when it is compiled, and when what it was compiled for is no longer so. */
class SpelOperandTests {

    private static final int OFTEN = 300;

    private final Written written = new Written();

    /** A bean that counts its calls and fails. */
    @SuppressWarnings("unused")
    public static class Failing {

        int calls;

        public String unchecked(String id) {
            calls++;
            throw new IllegalStateException("tenant " + id + " is gone");
        }

        public String checked(String id) throws IOException {
            calls++;
            throw new IOException("no answer");
        }
    }

    /** Static, so that a compiled expression calls it. */
    public static final class Statics {

        private Statics() {}

        public static String of(String id) {
            if (id.equals("gone")) {
                throw new IllegalStateException("gone");
            }
            return id;
        }
    }

    @Test
    void typesThatChangeAfterCompilingAreStillRight() {
        CostExpression cost = written.cost("#batch.size() * 2", "batch");
        List<Collection<String>> kinds = List.of(
                new ArrayList<>(List.of("a")),
                new LinkedHashSet<>(),
                new ArrayDeque<>(),
                new TreeSet<>(),
                List.of("x", "y"));

        for (int i = 0; i < OFTEN; i++) {
            assertThat(cost.costOf(Written.call("batch", kinds.get(0)))).isEqualTo(2);
        }
        for (int i = 0; i < OFTEN; i++) {
            Collection<String> batch = kinds.get(i % kinds.size());
            assertThat(cost.costOf(Written.call("batch", batch))).isEqualTo(2L * batch.size());
        }
    }

    @Test
    void numbersThatChangeAfterCompilingAreStillRight() {
        ConditionExpression condition = written.condition("#value > 5", "values");

        for (int i = 0; i < OFTEN; i++) {
            assertThat(condition.holds(Written.call("values", i))).isEqualTo(i > 5);
        }
        for (int i = 0; i < OFTEN; i++) {
            assertThat(condition.holds(Written.call("values", (long) i))).isEqualTo(i > 5);
            assertThat(condition.holds(Written.call("values", i / 2.0))).isEqualTo(i / 2.0 > 5);
        }
    }

    @Test
    void exceptionOfABeanComesThroughAsItIsAndTheBeanIsAskedOnce() {
        Failing bean = new Failing();
        KeyExpression key = written.bean("failing", bean).key("@failing.unchecked(#tenantId)", "order");

        for (int i = 1; i <= OFTEN; i++) {
            assertThatThrownBy(() -> key.keyOf(Written.call("order", "acme", null)))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("tenant acme is gone");
            assertThat(bean.calls).isEqualTo(i);
        }
    }

    @Test
    void exceptionOutOfCompiledCodeComesThroughAsItIs() {
        String source = "T(%s).of(#tenantId)".formatted(Statics.class.getName());
        KeyExpression key = written.key(source, "order");

        for (int i = 0; i < OFTEN; i++) {
            assertThat(key.keyOf(Written.call("order", "here", null))).isEqualTo("here");
            assertThatThrownBy(() -> key.keyOf(Written.call("order", "gone", null)))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("gone");
        }
    }

    @Test
    void checkedExceptionNamesThePlaceAndKeepsTheCause() {
        KeyExpression key = written.bean("failing", new Failing()).key("@failing.checked(#tenantId)", "order");

        assertThatThrownBy(() -> key.keyOf(Written.call("order", "acme", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Shop.order(String, Order): key = \"@failing.checked(#tenantId)\" failed")
                .hasRootCauseInstanceOf(IOException.class);
    }
}
