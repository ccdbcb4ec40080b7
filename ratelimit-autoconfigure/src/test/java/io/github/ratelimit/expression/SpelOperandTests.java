/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InvalidRateLimitKeyException;
import java.io.IOException;
import java.nio.CharBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** What is sent: a getter and methods that count, and fail when they are told to. */
    @SuppressWarnings("unused")
    public static class Sent {

        int asked;

        @Nullable
        RuntimeException failure;

        @Nullable
        Object value = "sent";

        public @Nullable Object getValue() {
            asked++;
            if (failure != null) {
                throw failure;
            }
            return value;
        }

        public @Nullable Object value(String unused) {
            return getValue();
        }

        public static @Nullable Object of(Sent sent) {
            return sent.getValue();
        }
    }

    /** Ways to {@link Sent#getValue()}, and what the key is when it gives {@code "sent"}. */
    private static final String WAYS = """
            #value.value + '!'                  | sent!
            #value.value('x') + '!'             | sent!
            T(%1$s).of(#value) + '!'            | sent!
            #value.value == null ? 'a' : 'b'    | b
            #value.value('x').length() + 1      | 5
            #value.value.length() + 1           | 5
            """.formatted(Sent.class.getName());

    @Test
    void typesThatChangeAreStillRight() {
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

    static Stream<Arguments> ways() {
        return WAYS.lines().map(line -> line.split(" +\\| ")).map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatIsCalledIsCalledOnceAndItsExceptionComesThroughAsItIs(String source, String expected) {
        KeyExpression key = written.key(source, "values");
        Sent sent = new Sent();
        Invocation call = Written.call("values", sent, null, null, null);
        List<RuntimeException> failures = List.of(
                new NullPointerException("own"), new ClassCastException("own"), new IllegalStateException("own"));

        for (int i = 1; i <= OFTEN; i++) {
            RuntimeException failure = i % 2 == 0 ? null : failures.get(i % failures.size());
            sent.failure = failure;
            if (failure == null) {
                assertThat(key.keyOf(call)).isEqualTo(expected);
            } else {
                assertThatThrownBy(() -> key.keyOf(call)).isSameAs(failure);
            }
            assertThat(sent.asked).isEqualTo(i);
        }
    }

    /** What a call gives may not fit what is done with it; that is no reason to call it once more. */
    @Test
    void whatIsCalledIsCalledOnceWhenItsValueIsOfAnotherTypeOrNull() {
        KeyExpression key = written.key("#value.value('x').length() + 1", "values");
        Sent sent = new Sent();
        Invocation call = Written.call("values", sent, null, null, null);

        for (int i = 0; i < OFTEN; i++) {
            assertThat(key.keyOf(call)).isEqualTo("5");
        }
        for (int i = 1; i <= OFTEN; i++) {
            sent.value = i % 2 == 0 ? null : CharBuffer.wrap("other");
            if (sent.value == null) {
                assertThatExceptionOfType(InvalidRateLimitKeyException.class).isThrownBy(() -> key.keyOf(call));
            } else {
                assertThat(key.keyOf(call)).isEqualTo("6");
            }
            assertThat(sent.asked).isEqualTo(OFTEN + i);
        }
    }

    @Test
    void indexThatIsNotThereIsNoKeyBeforeAndAfterCompiling() {
        KeyExpression ofList = written.key("#list[1]", "values");
        KeyExpression ofArray = written.key("#array[1]", "values");

        for (int i = 0; i < OFTEN; i++) {
            Invocation call = Written.call("values", null, List.of("a", "b"), null, new String[] {"a", "b"});
            assertThat(ofList.keyOf(call)).isEqualTo("b");
            assertThat(ofArray.keyOf(call)).isEqualTo("b");
            Invocation tooShort = Written.call("values", null, List.of("a"), null, new String[] {"a"});
            assertThatExceptionOfType(InvalidRateLimitKeyException.class).isThrownBy(() -> ofList.keyOf(tooShort));
            assertThatExceptionOfType(InvalidRateLimitKeyException.class).isThrownBy(() -> ofArray.keyOf(tooShort));
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
