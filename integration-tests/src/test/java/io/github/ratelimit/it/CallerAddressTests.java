/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

/** Attempts to be counted as somebody else, one by one, alike on both stacks. */
@ExtendWith(OutputCaptureExtension.class)
class CallerAddressTests {

    private static final String TRUSTED = "ratelimit.http.trusted-proxies=127.0.0.0/8,::1,10.0.0.0/8";

    private static final List<Attempt> BEHIND_A_TRUSTED_PROXY = List.of(
            new Attempt("no header at all", "127.0.0.1"),
            new Attempt("one hop", "192.0.2.1", "X-Forwarded-For: 192.0.2.1"),
            new Attempt("caller adds a hop", "192.0.2.1", "X-Forwarded-For: 6.6.6.6, 192.0.2.1"),
            new Attempt(
                    "caller sends a line of its own",
                    "192.0.2.1",
                    "X-Forwarded-For: 6.6.6.6",
                    "X-Forwarded-For: 192.0.2.1"),
            new Attempt("two trusted hops", "192.0.2.1", "X-Forwarded-For: 6.6.6.6, 192.0.2.1, 10.0.0.7"),
            new Attempt("port", "192.0.2.1", "X-Forwarded-For: 192.0.2.1:4711"),
            new Attempt("another port is nobody else", "192.0.2.1", "X-Forwarded-For: 192.0.2.1:4712"),
            new Attempt("IPv6 is its network", "2001:db8:1:2::", "X-Forwarded-For: 2001:db8:1:2:3:4:5:6"),
            new Attempt("IPv6 with port", "2001:db8:1:2::", "X-Forwarded-For: [2001:DB8:1:2::9]:80"),
            new Attempt("IPv4 in IPv6", "192.0.2.1", "X-Forwarded-For: ::ffff:192.0.2.1"),
            new Attempt("zone", "fe80::", "X-Forwarded-For: fe80::1%eth0"),
            new Attempt("garbage ends the walk", "127.0.0.1", "X-Forwarded-For: 192.0.2.1, <script>"),
            new Attempt("unknown ends the walk", "127.0.0.1", "X-Forwarded-For: 192.0.2.1, unknown"),
            new Attempt("Forwarded", "192.0.2.1", "Forwarded: for=6.6.6.6, for=192.0.2.1;proto=https"),
            new Attempt("Forwarded with quotes", "2001:db8:1:2::", "Forwarded: for=\"[2001:db8:1:2::9]:80\""),
            new Attempt("Forwarded wins", "192.0.2.1", "X-Forwarded-For: 6.6.6.6", "Forwarded: for=192.0.2.1"),
            new Attempt("quote never closed", "192.0.2.1", "Forwarded: for=\"6.6.6.6, for=192.0.2.1"),
            new Attempt(
                    "quote never closed on a line of its own",
                    "192.0.2.1",
                    "Forwarded: for=\"6.6.6.6",
                    "Forwarded: for=192.0.2.1"),
            new Attempt("hop inside of a quoted host", "192.0.2.1", "Forwarded: for=192.0.2.1;host=\"x, for=6.6.6.6\""),
            new Attempt("made-up name", "127.0.0.1", "Forwarded: for=_random4711"),
            new Attempt(
                    "other headers say nothing",
                    "127.0.0.1",
                    "X-Real-IP: 6.6.6.6",
                    "Client-IP: 6.6.6.6",
                    "True-Client-IP: 6.6.6.6",
                    "CF-Connecting-IP: 6.6.6.6",
                    "X-Client-IP: 6.6.6.6",
                    "Via: 6.6.6.6"));

    @ParameterizedTest
    @EnumSource
    void behindATrustedProxy(WebStack stack, CapturedOutput log) throws Exception {
        check(stack, BEHIND_A_TRUSTED_PROXY, TRUSTED);
        assertThat(log.getOut().lines().filter(line -> line.contains("name different callers")))
                .as("warnings of headers that disagree")
                .hasSize(1)
                .noneMatch(line -> line.contains("6.6.6.6") || line.contains("192.0.2.1"));
    }

    /** Spring's filter and transformer believe the leftmost hop, whoever sent it; they are looked behind. */
    @ParameterizedTest
    @EnumSource
    void behindATrustedProxyBesideSpringsOwnFilter(WebStack stack) throws Exception {
        check(stack, BEHIND_A_TRUSTED_PROXY, TRUSTED, "server.forward-headers-strategy=framework");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsTrusted(WebStack stack) throws Exception {
        check(stack, toNoAvail(), "ratelimit.http.ipv6-prefix=64");
    }

    @ParameterizedTest
    @EnumSource
    void somebodyElseIsTrusted(WebStack stack) throws Exception {
        check(stack, toNoAvail(), "ratelimit.http.trusted-proxies=10.0.0.0/8");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsTrustedBesideSpringsOwnFilter(WebStack stack) throws Exception {
        check(stack, toNoAvail(), "server.forward-headers-strategy=framework");
    }

    /** Reactor Netty believes the leftmost hop, whoever sent it: it is looked behind. Boot 3.5 takes Tomcat where it can. */
    @ParameterizedTest
    @EnumSource(names = "REACTIVE")
    void nettyReadsTheHeaders(WebStack stack) throws Exception {
        if (org.springframework.util.ClassUtils.isPresent(
                "org.springframework.boot.web.context.WebServerInitializedEvent", null)) {
            check(stack, BEHIND_A_TRUSTED_PROXY.subList(0, 4), TRUSTED, "server.forward-headers-strategy=native");
            return;
        }
        check(stack, BEHIND_A_TRUSTED_PROXY, TRUSTED, "server.forward-headers-strategy=native");
        check(stack, toNoAvail(), "server.forward-headers-strategy=native");
    }

    /** Tomcat walks from the right by a list of its own, and says so; what it read is not read again. */
    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void tomcatReadsTheHeaders(WebStack stack) throws Exception {
        List<Attempt> attempts = List.of(
                new Attempt("no header at all", "127.0.0.1"),
                new Attempt("one hop", "192.0.2.1", "X-Forwarded-For: 192.0.2.1"),
                new Attempt("caller adds a hop", "192.0.2.1", "X-Forwarded-For: 6.6.6.6, 192.0.2.1"),
                new Attempt(
                        "not read twice", "192.0.2.1", "X-Forwarded-For: 6.6.6.6, 192.0.2.1", "Forwarded: for=6.6.6.6"),
                new Attempt("garbage is nobody", "null", "X-Forwarded-For: made-up"));
        check(stack, attempts, TRUSTED + ",192.0.2.0/24", "server.forward-headers-strategy=native");
        check(stack, attempts, "server.forward-headers-strategy=native");
    }

    private static List<Attempt> toNoAvail() {
        return BEHIND_A_TRUSTED_PROXY.stream()
                .map(attempt -> new Attempt(attempt.name, "127.0.0.1", attempt.headers))
                .toList();
    }

    private static void check(WebStack stack, List<Attempt> attempts, String... properties) throws Exception {
        try (RunningApplication app = stack.start(Application.class, with(properties))) {
            Seen seen = app.context().getBean(Seen.class);
            SoftAssertions softly = new SoftAssertions();
            for (Attempt attempt : attempts) {
                String[] head = Stream.concat(Stream.of("GET /anything HTTP/1.1"), attempt.headers.stream())
                        .toArray(String[]::new);
                int status = app.send(head).status();
                softly.assertThat(seen.look()).as(attempt.name).isEqualTo(attempt.caller);
                softly.assertThat(status).as(attempt.name).isEqualTo(attempt.caller.equals("null") ? 400 : 404);
            }
            softly.assertAll();
            assertThat(attempts).isNotEmpty();
        }
    }

    private static String[] with(String... properties) {
        return Stream.concat(
                        Stream.of(
                                "ratelimit.store=local",
                                "ratelimit.limits.all.permits=1000",
                                "ratelimit.limits.all.period=1h",
                                "ratelimit.http.rules[0].path=/**",
                                "ratelimit.http.rules[0].limits=all",
                                "ratelimit.http.rules[0].key=@seen.key(#caller.address)"),
                        Stream.of(properties))
                .toArray(String[]::new);
    }

    /** What is tried, with which headers, and as whom it is counted. */
    private record Attempt(String name, String caller, List<String> headers) {

        Attempt(String name, String caller, String... headers) {
            this(name, caller, List.of(headers));
        }
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }
    }
}
