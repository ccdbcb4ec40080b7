/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** How a refused call is answered, whole and raw, in an application that has no advice of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class RefusalSpecification {

    private static final String ALLOWED = "x-ratelimit-limit: 1\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 3600";

    private final RunningApplication app;

    /**
     * The specification of a stack.
     *
     * @param extras what the application has on this stack alone
     */
    RefusalSpecification(WebStack stack, Class<?> extras) {
        this.app =
                stack.startWith(List.of(RefusedApplication.class, extras), List.of("ratelimit.store=local"), List.of());
    }

    @AfterAll
    void stop() {
        app.close();
    }

    static String denied(String limit) {
        return """
                429
                content-type: application/problem+json
                retry-after: 3600
                x-ratelimit-limit: 1
                x-ratelimit-remaining: 0
                x-ratelimit-reset: 3600

                {"type":"https://iana.org/assignments/http-problem-types#quota-exceeded",\
                "title":"Request cannot be satisfied as assigned quota has been exceeded","status":429,\
                "detail":"The permits of limit '%s' are spent. Try again in 3600 seconds.",\
                "violated-policies":["%s"]}""".formatted(limit, limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"value", "future", "mono", "flux", "sse", "service", "service-mono", "extra"})
    void answersADenialWithAProblem(String path, CapturedOutput log) throws Exception {
        answersTheSecondCallWithAProblem(path, log);
    }

    void answersTheSecondCallWithAProblem(String path, CapturedOutput log) throws Exception {
        String request = "GET /" + path + " HTTP/1.1";

        RawAnswer allowed = app.send(request);
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.limitHeaders()).isEqualTo(ALLOWED);
        assertThat(app.send(request).text()).isEqualTo(denied(path));

        assertThat(log).doesNotContain("ERROR", "WARN", "\tat ");
    }

    @Test
    void answersADenialBeforeABodyThatCameInPieces() throws Exception {
        answersTheSecondBodyWithAProblem("body", "text/plain", "x".repeat(100_000), "100000");
    }

    @Test
    void answersADenialBeforeAForm() throws Exception {
        answersTheSecondBodyWithAProblem("form", "application/x-www-form-urlencoded", "text=a+text", "a text");
    }

    @Test
    void answersADenialBeforeParts() throws Exception {
        String part =
                "--edge\r\nContent-Disposition: form-data; name=\"text\"\r\nContent-Type: text/plain\r\n\r\na text";
        answersTheSecondBodyWithAProblem(
                "multipart", "multipart/form-data; boundary=edge", part + "\r\n--edge--\r\n", "a text");
    }

    void answersTheSecondBodyWithAProblem(String path, String type, String body, String answer) throws Exception {
        String[] head = {
            "POST /" + path + " HTTP/1.1", "Content-Type: " + type, "Content-Length: " + body.length(),
        };

        RawAnswer allowed = app.sendWithBody(body, head);
        RawAnswer denied = app.sendWithBody(body, head);

        assertThat(allowed.body()).isEqualTo(answer);
        assertThat(allowed.limitHeaders()).isEqualTo(ALLOWED);
        assertThat(denied.text()).isEqualTo(denied(path));
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        app.send("GET /head HTTP/1.1");

        RawAnswer denied = app.send("HEAD /head HTTP/1.1");

        assertThat(denied.text()).isEqualTo(denied("head").replaceAll("\\{.*", ""));
    }

    @Test
    void saysNothingAboutLimitsToOptions() throws Exception {
        RawAnswer options = app.send("OPTIONS /options HTTP/1.1");

        assertThat(options.status()).isEqualTo(200);
        assertThat(options.header("allow")).contains("GET");
        assertThat(options.limitHeaders()).isEmpty();
    }

    @Test
    void answersACallWithoutAKeyWith400AndTellsTheRemedyOnce(CapturedOutput log) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(app.send("GET /key?tenant=%20%20 HTTP/1.1").text()).isEqualTo("""
                            400
                            content-type: application/problem+json

                            {"type":"about:blank","title":"Bad Request","status":400,\
                            "detail":"The request lacks what tells callers apart."}""");
        }

        assertThat(log.getOut().lines().filter(line -> line.contains("WARN"))).hasSize(1);
        assertThat(log).contains("Controller.key(String)").doesNotContain("ERROR", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "application/json;q=0.5, text/html",
                "*/*, text/html",
                "TEXT/HTML;Q=0.9",
                "application/json;q=0.5\r\nAccept: text/html"
            })
    void leavesClientsThatPreferAPageToTheErrorPage(String accept) throws Exception {
        String path = "GET /page/" + accept.length() + " HTTP/1.1";
        app.send(path);

        RawAnswer page = app.send(path, "Accept: " + accept);

        assertThat(page.status()).isEqualTo(429);
        assertThat(page.header("content-type")).startsWith("text/html");
        assertThat(page.body()).contains("<html>").contains("Too Many Requests");
        assertThat(page.header("retry-after")).isEqualTo("3600");
        assertThat(page.header("x-ratelimit-remaining")).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "text/html;q=0.5, application/json", "text/html, application/json", "broken"
            })
    void answersOthersWithAProblem(String accept) throws Exception {
        String path = "GET /problem/" + accept.length() + " HTTP/1.1";
        app.send(path);

        assertThat(app.send(path, "Accept: " + accept).header("content-type")).isEqualTo("application/problem+json");
    }
}
