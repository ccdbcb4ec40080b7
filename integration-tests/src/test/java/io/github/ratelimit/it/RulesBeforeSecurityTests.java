/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.SecuredApplication.basic;
import static io.github.ratelimit.it.SecuredApplication.login;
import static io.github.ratelimit.it.SecuredApplication.status;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules before authentication, as against guessed passwords; annotated methods know who calls all the same. */
class RulesBeforeSecurityTests {

    private static final String ALICE = basic("alice");

    @ParameterizedTest
    @EnumSource
    void countWhatSpringSecurityAnswers(WebStack stack) throws Exception {
        String wrong = "username=alice&password=wrong";
        try (RunningApplication app = SecuredApplication.start(
                stack,
                "ratelimit.http.rules-order=-200",
                "ratelimit.http.rules[0].path=/login",
                "ratelimit.http.rules[0].key=#caller.address")) {
            assertThat(login(app, wrong).status()).isEqualTo(302);
            assertThat(login(app, wrong).status()).isEqualTo(429);
            assertThat(status(app, "/value", ALICE)).isEqualTo(200);
            assertThat(status(app, "/value", ALICE)).isEqualTo(429);
            assertThat(status(app, "/value", basic("bob"))).isEqualTo(200);
        }
    }
}
