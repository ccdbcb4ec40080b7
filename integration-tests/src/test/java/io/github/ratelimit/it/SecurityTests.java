/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static io.github.ratelimit.it.SecuredApplication.basic;
import static io.github.ratelimit.it.SecuredApplication.login;
import static io.github.ratelimit.it.SecuredApplication.status;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

/** Limits in applications whose callers log in with Spring Security, alike on both stacks. */
@ExtendWith(OutputCaptureExtension.class)
class SecurityTests {

    private static final String ALICE = basic("alice");
    private static final String BOB = basic("bob");
    private static final String CAROL = basic("carol");

    private static final SharedApplications RUNNING = new SharedApplications(SecuredApplication::start);

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    @ParameterizedTest
    @CsvSource({
        "SERVLET, '/value /principal /mono /flux /future /later /service /service-mono /ruled'",
        "REACTIVE, '/value /principal /mono /flux /future /service /service-mono /ruled'",
    })
    void everybodyWhoLogsInHasACounter(WebStack stack, String paths) throws Exception {
        RunningApplication app = RUNNING.on(stack);
        for (String path : StringUtils.delimitedListToStringArray(paths, " ")) {
            assertThat(status(app, path, ALICE)).as(path).isEqualTo(200);
            assertThat(status(app, path, ALICE)).as(path).isEqualTo(429);
            assertThat(status(app, path, BOB)).as(path).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isTheSameCallerWithASession(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);
        RawAnswer login = login(app, "username=carol&password=secret");
        String session = "Cookie: " + String.valueOf(login.header("set-cookie")).replaceAll(";.*", "");

        assertThat(login.status()).isEqualTo(302);
        assertThat(status(app, "/value", session)).isEqualTo(200);
        assertThat(status(app, "/value", CAROL)).isEqualTo(429);
        assertThat(status(app, "/ruled", CAROL)).isEqualTo(200);
        assertThat(status(app, "/ruled", session)).isEqualTo(429);
    }

    @ParameterizedTest
    @EnumSource
    void anonymousCallersHaveNoKey(WebStack stack, CapturedOutput log) throws Exception {
        RunningApplication app = RUNNING.on(stack);
        for (String path : List.of("/open/value", "/open/mono", "/open/ruled", "/open/value")) {
            RawAnswer answer = app.send("GET " + path + " HTTP/1.1");
            assertThat(answer.status()).as(path).isEqualTo(400);
            assertThat(answer.header("content-type")).as(path).isEqualTo("application/problem+json");
            assertThat(answer.limitHeaders()).as(path).isEmpty();
        }
        assertThat(status(app, "/open/ruled", ALICE)).isEqualTo(200);
        assertThat(app.send("GET /open/either HTTP/1.1").status()).isEqualTo(200);
        assertThat(app.send("GET /open/either HTTP/1.1").status()).isEqualTo(429);
        assertThat(status(app, "/open/either", ALICE)).isEqualTo(200);

        assertThat(log.getOut().lines().filter(line -> line.contains("answered with 400")))
                .hasSize(3)
                .allMatch(line -> line.contains("#caller.principal") && line.contains("after authentication"));
    }

    /** Who is not let in takes no permits, and is answered by Spring Security alone. */
    @ParameterizedTest
    @EnumSource
    void rulesComeAfterAuthentication(WebStack stack) throws Exception {
        RunningApplication app = RUNNING.on(stack);
        for (int i = 0; i < 3; i++) {
            RawAnswer unknown = app.send("GET /few HTTP/1.1", "Accept: application/json");
            assertThat(unknown.status()).isEqualTo(401);
            assertThat(unknown.limitHeaders()).isEmpty();
            assertThat(status(app, "/few", "Authorization: Basic eDp5")).isEqualTo(401);
        }
        assertThat(status(app, "/few", ALICE)).isEqualTo(200);
        RawAnswer denied = app.send("GET /few HTTP/1.1", BOB);
        assertThat(denied.status()).isEqualTo(429);
        assertThat(denied.header("x-content-type-options")).isEqualTo("nosniff");
    }
}
