/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Forwarding headers are believed hop by hop from the right, and from trusted proxies only. */
@ExtendWith(OutputCaptureExtension.class)
class CallerAddressesTests {

    private static final String PROXY = "10.0.0.1";

    private final CallerAddresses addresses = new CallerAddresses(List.of("10.0.0.0/8", "2001:db8:ffff::/48"), 64);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            192.0.2.1                              | 192.0.2.1
            10.0.0.7                               | 10.0.0.7
            192.0.2.1, 10.0.0.7                    | 192.0.2.1
            6.6.6.6, 192.0.2.1                     | 192.0.2.1
            6.6.6.6, 192.0.2.1, 10.0.0.7, 10.1.1.1 | 192.0.2.1
            192.0.2.1:4711                         | 192.0.2.1
            [2001:db8::1]:4711                     | 2001:db8::
            [2001:db8::1]                          | 2001:db8::
            2001:db8::1                            | 2001:db8::
            2001:db8:0:7:1:2:3:4                   | 2001:db8:0:7::
            ::ffff:192.0.2.1                       | 192.0.2.1
            fe80::1%eth0                           | fe80::
            192.0.2.1, 2001:db8:ffff::9            | 192.0.2.1
            192.0.2.1,,,                           | 192.0.2.1
            ,                                      | 10.0.0.1
            6.6.6.6, unknown                       | 10.0.0.1
            6.6.6.6, garbage, 10.0.0.7             | 10.0.0.7
            6.6.6.6, _hidden                       | 10.0.0.1
            6.6.6.6, 192.0.2.1:port                | 10.0.0.1
            6.6.6.6, "192.0.2.1"                   | 10.0.0.1
            6.6.6.6, [192.0.2.1]                   | 10.0.0.1
            6.6.6.6, 192.0.2.999                   | 10.0.0.1
            6.6.6.6, 192.0.2.1 192.0.2.2           | 10.0.0.1
            6.6.6.6", 192.0.2.1                    | 192.0.2.1
            """)
    void xForwardedFor(String line, String caller) {
        assertThat(callerOfXForwardedFor(PROXY, line)).isEqualTo(caller);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            for=192.0.2.1                                          | 192.0.2.1
            FOR=192.0.2.1;proto=http;by=10.0.0.1                   | 192.0.2.1
            proto=https ; for=192.0.2.1                            | 192.0.2.1
            for="192.0.2.1:4711"                                   | 192.0.2.1
            for="[2001:db8::1]:4711"                               | 2001:db8::
            for="[2001:db8::1]"                                    | 2001:db8::
            for=[2001:db8::1]                                      | 2001:db8::
            for="192.0.2.1:_port"                                  | 192.0.2.1
            for="\\192.0.2.1"                                       | 192.0.2.1
            for=6.6.6.6, for=192.0.2.1                             | 192.0.2.1
            for=6.6.6.6, for=192.0.2.1, for=10.0.0.7               | 192.0.2.1
            for=6.6.6.6, for=unknown                               | 10.0.0.1
            for=6.6.6.6, for=_hidden, for=10.0.0.7                 | 10.0.0.7
            for=6.6.6.6, proto=https                               | 10.0.0.1
            for=6.6.6.6, for=                                      | 10.0.0.1
            for=6.6.6.6, for=192.0.2.1;for=6.6.6.6                 | 10.0.0.1
            for=6.6.6.6, for="192.0.2.1                            | 10.0.0.1
            for=6.6.6.6, 192.0.2.1                                 | 10.0.0.1
            for=6.6.6.6, forx=192.0.2.1                            | 10.0.0.1
            for="6.6.6.6, for=192.0.2.1                            | 192.0.2.1
            for=", for="[2001:db8::1]"                             | 2001:db8::
            for="6.6.6.6\\", for=192.0.2.1                          | 192.0.2.1
            for=192.0.2.1;host="x, for=6.6.6.6"                    | 192.0.2.1
            for=192.0.2.1;host="x\\", for=6.6.6.6;a=\\""             | 192.0.2.1
            for=192.0.2.1;host="x\\\\", for=6.6.6.6                  | 6.6.6.6
            """)
    void forwarded(String line, String caller) {
        assertThat(callerOfForwarded(PROXY, line)).isEqualTo(caller);
    }

    @Test
    void linesAreOneListInTheirOrder() {
        assertThat(callerOfXForwardedFor(PROXY, "6.6.6.6", "192.0.2.1", "10.0.0.7"))
                .isEqualTo("192.0.2.1");
        assertThat(callerOfForwarded(PROXY, "for=6.6.6.6", "for=192.0.2.1, for=10.0.0.7"))
                .isEqualTo("192.0.2.1");
    }

    @Test
    void quoteThatIsNeverClosedEndsWithItsLine() {
        assertThat(callerOfForwarded(PROXY, "for=\"6.6.6.6", "for=\"[2001:db8::1]\""))
                .isEqualTo("2001:db8::");
    }

    @Test
    void forwardedWins() {
        assertThat(addresses.of(PROXY, name -> List.of(name.equals("Forwarded") ? "for=192.0.2.1" : "6.6.6.6")))
                .isEqualTo("192.0.2.1");
        assertThat(addresses.of(PROXY, name -> List.of(name.equals("Forwarded") ? " " : "192.0.2.1")))
                .isEqualTo("192.0.2.1");
    }

    @Test
    void nobodyElseIsBelieved() {
        assertThat(callerOfXForwardedFor("192.0.2.9", "6.6.6.6")).isEqualTo("192.0.2.9");
        assertThat(callerOfForwarded("11.0.0.1", "for=6.6.6.6")).isEqualTo("11.0.0.1");
        assertThat(new CallerAddresses(List.of(), 64).of("127.0.0.1", name -> List.of("6.6.6.6")))
                .isEqualTo("127.0.0.1");
    }

    @Test
    void headersOfStrangersAreNotEvenLookedAt() {
        assertThat(addresses.of("192.0.2.9", name -> {
                    throw new AssertionError("asked for " + name);
                }))
                .isEqualTo("192.0.2.9");
    }

    @Test
    void peerIsWrittenAsEveryAddress() {
        assertThat(addresses.of("0:0:0:0:0:0:0:1", name -> List.of())).isEqualTo("::");
        assertThat(addresses.of("fe80:0:0:0:1:2:3:4%eth0", name -> List.of())).isEqualTo("fe80::");
        assertThat(addresses.of("::ffff:10.0.0.1", name -> List.of("192.0.2.1")))
                .isEqualTo("10.0.0.1");
        assertThat(addresses.of(null, name -> List.of("192.0.2.1"))).isNull();
        assertThat(new CallerAddresses(List.of(), 128).of("2001:db8::1", name -> List.of()))
                .isEqualTo("2001:db8::1");
    }

    @Test
    void whatTheContainerReadIsNotReadAgain() {
        assertThat(addresses.asReadByContainer("2001:db8::1")).isEqualTo("2001:db8::");
        assertThat(addresses.asReadByContainer("spoofed")).isNull();
        assertThat(addresses.asReadByContainer(null)).isNull();
    }

    /** Whatever a caller sends ahead, the hop that the proxy appends is found. */
    @Test
    void nothingOnTheLeftMovesTheHopOnTheRight() {
        Random random = new Random(7);
        String alphabet = "\"\"\\\\,,;;== for6.[]:_\t\u00e9";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder sent = new StringBuilder();
            for (int i = random.nextInt(30); i > 0; i--) {
                sent.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThat(callerOfForwarded(PROXY, sent + ", for=192.0.2.1"))
                    .as("%s", sent)
                    .isEqualTo("192.0.2.1");
            assertThat(callerOfForwarded(PROXY, sent + ", for=\"[2001:db8::1]:80\";proto=http"))
                    .as("%s", sent)
                    .isEqualTo("2001:db8::");
            assertThat(callerOfForwarded(PROXY, sent.toString(), "for=192.0.2.1"))
                    .isEqualTo("192.0.2.1");
            assertThat(callerOfXForwardedFor(PROXY, sent + ", 192.0.2.1")).isEqualTo("192.0.2.1");
            List<String> noise = new ArrayList<>(List.of(sent.toString()));
            assertThat(callerOfForwarded(PROXY, noise.toArray(String[]::new)))
                    .as("%s", sent)
                    .matches("[0-9a-f.:]+");
        }
    }

    @Test
    void headersThatNameOneCallerAreNoneToWarnOf(CapturedOutput log) {
        Map<String, List<String>> alike =
                Map.of("Forwarded", List.of("for=192.0.2.1"), "X-Forwarded-For", List.of("6.6.6.6, 192.0.2.1"));
        addresses.of(PROXY, name -> alike.getOrDefault(name, List.of()));
        addresses.of("192.0.2.9", name -> List.of("for=6.6.6.6"));
        assertThat(log.getOut()).doesNotContain("name different callers");

        for (int i = 0; i < 3; i++) {
            assertThat(callerOfForwarded(PROXY, "for=192.0.2.1")).isEqualTo("192.0.2.1");
        }
        assertThat(log.getOut()).containsOnlyOnce("name different callers").doesNotContain("6.6.6.6");
    }

    private @Nullable String callerOfXForwardedFor(String peer, String... lines) {
        return addresses.of(peer, name -> name.equals("X-Forwarded-For") ? List.of(lines) : List.of());
    }

    private @Nullable String callerOfForwarded(String peer, String... lines) {
        return addresses.of(peer, name -> name.equals("Forwarded") ? List.of(lines) : List.of("6.6.6.6"));
    }
}
