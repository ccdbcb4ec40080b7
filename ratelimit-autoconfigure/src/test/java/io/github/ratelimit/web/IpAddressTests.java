/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every address has one text; what is no literal is no address; networks hold what shares their prefix. */
class IpAddressTests {

    private static final int ROUNDS = 20_000;

    private final Random random = new Random(42);

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "2001:DB8::1, 2001:db8::1",
        "2001:0db8:0000:0000:0000:0000:0000:0001, 2001:db8::1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::FFFF:c000:0201, 192.0.2.1",
        "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
        "64:ff9b::192.0.2.1, 64:ff9b::c000:201",
        "fe80::1%eth0, fe80::1",
        "fe80::1%25eth0, fe80::1"
    })
    void hasOneText(String literal, String text) {
        assertThat(IpAddress.parse(literal)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "localhost",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.04",
                "1.2.3.4 ",
                "0x7f.0.0.1",
                "2130706433",
                "1.2.3.4%eth0",
                "1..2.3",
                "-1.2.3.4",
                "١.2.3.4",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1::",
                "1::2::3",
                "1:2:3:4:5:6:7:",
                ":1:2:3:4:5:6:7",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.4.5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3.4:1",
                "[::1]",
                "::1/128",
                "unknown",
                "_x"
            })
    void isNoAddress(String text) {
        assertThat(IpAddress.parse(text)).isNull();
    }

    @Test
    void readsWhatItWrites() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = randomBytes();
            IpAddress address = IpAddress.of(bytes);
            assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
            assertThat(IpAddress.of(InetAddress.getByName(address.toString()).getAddress()))
                    .isEqualTo(address);
        }
    }

    @Test
    void acceptsNoMutilatedLiteralThatTheJdkReadsOtherwise() throws Exception {
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String literal = mutilated(IpAddress.of(randomBytes()).toString());
            IpAddress address = IpAddress.parse(literal);
            if (address != null) {
                accepted++;
                assertThat(IpAddress.of(InetAddress.getByName(literal).getAddress()))
                        .isEqualTo(address);
            }
        }
        assertThat(accepted).isGreaterThan(ROUNDS / 20);
    }

    @Test
    void networkOfAnAddressHoldsExactlyWhatSharesItsPrefix() {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = randomBytes();
            IpAddress address = IpAddress.of(bytes);
            int prefix = random.nextInt(address.bits() + 1);
            Network network = Network.parse(address.network(prefix) + "/" + prefix);
            int flipped = random.nextInt(address.bits());

            assertThat(network.contains(address)).isTrue();
            assertThat(network.contains(flip(address, flipped))).isEqualTo(flipped >= prefix);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/8, ::ffff:10.1.1.1, true",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 1.2.3.4, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false"
    })
    void contains(String network, String address, boolean contained) {
        IpAddress parsed = Objects.requireNonNull(IpAddress.parse(address));
        assertThat(Network.parse(network).contains(parsed)).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/33, has no prefix of 0 to 32",
        "10.0.0.0/, has no prefix of 0 to 32",
        "10.0.0.0/08, has no prefix of 0 to 32",
        "10.0.0.0/-1, has no prefix of 0 to 32",
        "::/129, has no prefix of 0 to 128",
        "10.1.2.3/8, is an address within the network 10.0.0.0/8",
        "10.0.0/8, is no address and no network",
        "proxy.example, is no address and no network",
        "fe80::1%eth0, is no address and no network",
        "10.0.0.0/8/8, has no prefix of 0 to 32"
    })
    void isNoNetwork(String text, String problem) {
        assertThatThrownBy(() -> Network.parse(text)).hasMessage(problem);
    }

    private byte[] randomBytes() {
        byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
        random.nextBytes(bytes);
        if (bytes.length == 16) {
            int zeros = random.nextInt(17);
            int from = random.nextInt(17);
            Arrays.fill(bytes, from, Math.min(16, from + zeros), (byte) 0);
            if (random.nextInt(8) == 0) {
                Arrays.fill(bytes, 0, 10, (byte) 0);
                Arrays.fill(bytes, 10, 12, (byte) -1);
            }
        }
        return bytes;
    }

    private String mutilated(String literal) {
        StringBuilder text = new StringBuilder(literal);
        String alphabet = "0123456789abcdef:.:.";
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
            default -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static IpAddress flip(IpAddress address, int bit) {
        try {
            byte[] bytes = InetAddress.getByName(address.toString()).getAddress();
            bytes[bit / 8] ^= (byte) (0x80 >> bit % 8);
            return IpAddress.of(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
