/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.local.LocalRateLimitStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * What attackers send is answered, costs a bounded amount, and nothing of it gets into the log through us. The servers log
 * request lines that they cannot read.
 */
@ExtendWith(OutputCaptureExtension.class)
class HostileRequestsTests {

    private static final String SECRET = "s3cr3t";
    private static final int MANY = 10_000;

    @ParameterizedTest
    @EnumSource
    void isNeverAFaultOfTheServerAndNeverInTheLog(WebStack stack, CapturedOutput output) throws Exception {
        String huge = SECRET.repeat(17_000);
        String bomb = ("X-Bomb: " + SECRET + "\r\n").repeat(2_000);
        try (RunningApplication app = stack.start(
                Application.class,
                "ratelimit.store=local",
                "ratelimit.limits.all.permits=2",
                "ratelimit.limits.all.period=1h",
                "ratelimit.http.trusted-proxies=127.0.0.0/8,::1",
                "ratelimit.http.rules[0].path=/**",
                "ratelimit.http.rules[0].limits=all",
                "ratelimit.http.rules[0].key={#caller.path, #caller.header('X-Key') ?: 'none', #caller.address}",
                "ratelimit.http.rules[1].path=/keyed/**",
                "ratelimit.http.rules[1].limits=all",
                "ratelimit.http.rules[1].key=#caller.header('X-Secret')",
                "server.max-http-request-header-size=256KB",
                "server.netty.max-initial-line-length=256KB")) {
            String[] requests = {
                "GET /echo HTTP/1.1\r\nX-Key: " + huge,
                "GET /echo?text=" + huge + " HTTP/1.1",
                "GET /" + huge + " HTTP/1.1",
                "GET /echo HTTP/1.1\r\nX-Forwarded-For: " + huge,
                "GET /echo HTTP/1.1\r\nX-Forwarded-For: " + "10.0.0.1, ".repeat(10_000) + SECRET,
                "GET /echo HTTP/1.1\r\nForwarded: for=\"" + "\\\"".repeat(40_000) + SECRET,
                "GET /echo HTTP/1.1\r\nForwarded: " + "for=\"[::1]\",".repeat(10_000),
                "GET /echo HTTP/1.1\r\nX-Forwarded-For: " + "\"\\,".repeat(30_000),
                "GET /echo HTTP/1.1\r\n" + bomb.strip(),
                "GET /%ff%fe" + SECRET + " HTTP/1.1",
                "GET /%c0%af%00" + SECRET + " HTTP/1.1",
                "GET /%zz" + SECRET + " HTTP/1.1",
                "GET /echo?text=%ff%00" + SECRET + " HTTP/1.1",
                "GET /echo HTTP/1.1\r\nX-Key: \u00ff\u0000" + SECRET,
                "GET /echo HTTP/1.1\r\nX-Key: " + SECRET + "\u001b[31m\u0085\u2028",
                "GET /" + "a/".repeat(30_000) + " HTTP/1.1",
                "GET /" + "../".repeat(20_000) + SECRET + " HTTP/1.1",
                "GET /" + "%2e%2e%2f;x".repeat(8_000) + " HTTP/1.1",
                "GET /keyed/" + SECRET + " HTTP/1.1",
                SECRET + " /echo HTTP/1.1",
                "GET http://" + SECRET + "/echo HTTP/1.1",
                "GET echo HTTP/1.1",
                "OPTIONS * HTTP/1.1",
            };
            for (String request : requests) {
                for (int i = 0; i < 3; i++) {
                    String status = firstLine(app, request);
                    assertThat(status)
                            .as(request.substring(0, Math.min(60, request.length())))
                            .doesNotContainPattern("HTTP/1.. (500|501|502|504)");
                }
            }
            assertThat(app.send("GET /echo?text=alive HTTP/1.1", "X-Key: somebody else")
                            .body())
                    .isEqualTo("alive");
        }
        assertThat(output.getAll().lines().filter(HostileRequestsTests::isOurs).filter(line -> line.contains(SECRET)))
                .isEmpty();
    }

    /** Spring itself cannot read them; nothing gets past the rule for that. */
    @ParameterizedTest
    @EnumSource
    void pathsThatCannotBeReadAreBadRequests(WebStack stack, CapturedOutput output) throws Exception {
        try (RunningApplication app = stack.start(
                Application.class,
                "ratelimit.store=local",
                "server.servlet.context-path=/shop",
                "spring.webflux.base-path=/shop",
                "ratelimit.limits.all.permits=1",
                "ratelimit.limits.all.period=1h",
                "ratelimit.http.rules[0].path=/**",
                "ratelimit.http.rules[0].limits=all")) {
            for (String path : List.of("//shop/echo", "/shop/echo;a=%zz", "/shop//echo;%")) {
                String status = firstLine(app, "GET " + path + " HTTP/1.1").split(" ", -1)[1];
                assertThat(status).as(path).isIn("400", "404");
            }
            assertThat(app.send("GET /shop/echo?text=alive HTTP/1.1").body()).isEqualTo("alive");
        }
        assertThat(output.getAll()).doesNotContain("ERROR", "\tat ");
    }

    /** Behind a trusted proxy every address is somebody; from anybody else none of them is. */
    @ParameterizedTest
    @EnumSource
    void manyAddresses(WebStack stack, CapturedOutput output) throws Exception {
        assertThat(statuses(stack, "127.0.0.0/8,::1", 20_000))
                .containsOnly(Map.entry("200", MANY), Map.entry("counters", MANY));
        assertThat(statuses(stack, "127.0.0.0/8,::1", 500))
                .containsEntry("200", 505)
                .containsEntry("counters", 500);
        assertThat(statuses(stack, "10.0.0.0/8", 20_000))
                .containsOnly(Map.entry("200", 5), Map.entry("429", MANY - 5), Map.entry("counters", 1));
        assertThat(output.getAll().lines().filter(line -> line.contains("203.0.")))
                .isEmpty();
        assertThat(output.getAll().lines().filter(HostileRequestsTests::isOurs).filter(line -> line.contains(" WARN ")))
                .allMatch(line -> line.contains("The application has no name") || line.contains("share one counter"));
    }

    private static boolean isOurs(String line) {
        return line.contains("i.g.ratelimit")
                || line.contains("i.github.ratelimit")
                || line.contains("io.github.ratelimit.");
    }

    /** How often each status was answered, and how many counters are kept of it. */
    private static Map<String, Integer> statuses(WebStack stack, String trusted, int maxKeys) throws IOException {
        Map<String, Integer> statuses = new TreeMap<>();
        try (RunningApplication app = stack.start(
                        Application.class,
                        "ratelimit.store=local",
                        "server.tomcat.max-keep-alive-requests=-1",
                        "server.netty.max-keep-alive-requests=-1",
                        "ratelimit.local.max-keys=" + maxKeys,
                        "ratelimit.limits.all.permits=5",
                        "ratelimit.limits.all.period=1h",
                        "ratelimit.http.trusted-proxies=" + trusted,
                        "ratelimit.http.rules[0].path=/**",
                        "ratelimit.http.rules[0].limits=all",
                        "ratelimit.http.rules[0].key=#caller.address");
                KeptConnection connection = new KeptConnection(app.port())) {
            for (int i = 0; i < MANY; i++) {
                String address = "203.0.%d.%d".formatted(i / 250, 1 + i % 250);
                connection.send("", "GET /echo?text=x HTTP/1.1", "X-Forwarded-For: " + address);
                statuses.merge(connection.status(), 1, Integer::sum);
            }
            statuses.put(
                    "counters", app.context().getBean(LocalRateLimitStore.class).size());
        }
        return statuses;
    }

    /** The first line of the answer; empty where the server hangs up, or resets, without one. */
    private static String firstLine(RunningApplication app, String head) throws IOException {
        try (KeptConnection connection = new KeptConnection(app.port())) {
            connection.send("", head, "Connection: close");
            return connection.line();
        } catch (java.net.SocketTimeoutException e) {
            throw e;
        } catch (IOException hungUp) {
            return "";
        }
    }

    @EnableAutoConfiguration
    @Import(Echo.class)
    static class Application {}

    @RestController
    static class Echo {

        @GetMapping("/echo")
        String echo(@RequestParam(defaultValue = "nothing") String text) {
            return text;
        }
    }
}
