/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.intercept.KnownCalls.Known;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownCallsTests {

    private final KnownCalls calls = new KnownCalls();

    private static Method method(String name) throws NoSuchMethodException {
        return Object.class.getMethod(name);
    }

    @Test
    void findsWhatWasPutForBoth() throws Exception {
        Known known = new Known(method("toString"), String.class, null);
        calls.put(known);

        assertThat(calls.get(known.method(), String.class)).isSameAs(known);
        assertThat(calls.get(known.method(), Integer.class)).isNull();
        assertThat(calls.get(method("hashCode"), String.class)).isNull();
    }

    /** Equal is not enough: each proxy has its own objects, and keeps them. */
    @Test
    void comparesByIdentity() throws Exception {
        Method one = method("toString");
        Method other = method("toString");
        calls.put(new Known(one, String.class, null));

        assertThat(one).isEqualTo(other);
        assertThat(calls.get(other, String.class)).isNull();
    }

    @Test
    void isBounded() throws Exception {
        List<Method> many = new ArrayList<>();
        for (int i = 0; i < KnownCalls.MOST + 10; i++) {
            many.add(method("toString"));
            calls.put(new Known(many.get(i), String.class, null));
        }

        assertThat(many.subList(0, KnownCalls.MOST)).allMatch(method -> calls.get(method, String.class) != null);
        assertThat(many.subList(KnownCalls.MOST, many.size()))
                .allMatch(method -> calls.get(method, String.class) == null);
    }
}
