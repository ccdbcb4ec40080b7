/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever finds callers is told when some expression may ask for the principal, and only then. */
class PrincipalCheckTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#caller.principal",
                "#caller?.principal",
                "#caller.principal()",
                "#caller.principal ?: #caller.address",
                "{#caller.path, #caller.principal}",
                "#caller.header(#caller.principal)",
                "{#caller}.![principal]",
                "#caller['principal']"
            })
    void isAsked(String expression) {
        assertThat(asked(expression)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'everybody'",
                "#caller.address",
                "#caller?.address",
                "#caller.header('principal')",
                "#caller.header('X-Key') ?: #caller.address",
                "{#caller.path, #caller.method}",
                "#caller.header(#caller.method)"
            })
    void isNotAsked(String expression) {
        assertThat(asked(expression)).isFalse();
    }

    private static boolean asked(String expression) {
        AtomicBoolean asked = new AtomicBoolean();
        CallerSource callers = new CallerSource() {
            @Override
            public @Nullable Caller current() {
                return null;
            }

            @Override
            public void principalAsked() {
                asked.set(true);
            }
        };
        new CallExpressions(null, callers, text -> text).key(expression, "a test");
        return asked.get();
    }
}
