/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.SecuredApplication.login;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Browsers hear of a denial, also where Spring Security would rather send them to the login than show them the error page. */
class GuardedErrorPagesTests {

    private static final String BROWSER = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    @ParameterizedTest
    @CsvSource({
        "SERVLET, /open/**, application/problem+json",
        "SERVLET, '/open/**,/error', text/html",
        "REACTIVE, /open/**, text/html",
    })
    void areNoLoginForWhoIsDenied(WebStack stack, String open, String type) throws Exception {
        try (RunningApplication app = SecuredApplication.start(
                stack,
                "open=" + open,
                "ratelimit.http.rules-order=-200",
                "ratelimit.http.rules[0].path=/login",
                "ratelimit.http.rules[0].key=#caller.address")) {
            login(app, "username=alice&password=wrong", BROWSER);
            assertDenied(login(app, "username=alice&password=wrong", BROWSER), type);

            assertThat(app.send("GET /open/either HTTP/1.1", BROWSER).body()).isEqualTo("done");
            assertDenied(app.send("GET /open/either HTTP/1.1", BROWSER), type);
        }
    }

    private static void assertDenied(RawAnswer answer, String type) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(429);
        assertThat(answer.header("content-type")).startsWith(type);
        assertThat(answer.header("retry-after")).isEqualTo("3600");
        assertThat(answer.header("location")).isNull();
        assertThat(answer.body()).contains(type.equals("text/html") ? "Too Many Requests" : "quota-exceeded");
        assertThat(answer.whole()).isTrue();
    }
}
