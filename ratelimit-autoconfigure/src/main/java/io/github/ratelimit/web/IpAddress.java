/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An IP address: 4 or 16 bytes. An IPv4 address mapped into IPv6 ({@code ::ffff:192.0.2.1}) is the IPv4 address.
 *
 * <p>Read from literals only and never looked up: what a caller sends must not make the server ask a name server.
 */
final class IpAddress {

    private static final int V4 = 4;
    private static final int V6 = 16;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The address of 4 or 16 bytes. */
    static IpAddress of(byte[] bytes) {
        return new IpAddress(isMapped(bytes) ? Arrays.copyOfRange(bytes, V6 - V4, V6) : bytes.clone());
    }

    /** The address that a literal writes, with or without a zone; {@code null} if it is none. */
    static @Nullable IpAddress parse(String literal) {
        byte[] bytes = IpLiteral.parse(literal);
        return bytes == null ? null : of(bytes);
    }

    /** How many bits it has. */
    int bits() {
        return bytes.length * Byte.SIZE;
    }

    boolean isV6() {
        return bytes.length == V6;
    }

    /** The network of this address: all bits behind the prefix are zero. */
    IpAddress network(int prefix) {
        byte[] masked = bytes.clone();
        for (int i = 0; i < masked.length; i++) {
            int kept = Math.max(0, Math.min(Byte.SIZE, prefix - i * Byte.SIZE));
            masked[i] &= (byte) (0xff << (Byte.SIZE - kept));
        }
        return new IpAddress(masked);
    }

    /** Whether the first bits are those of another address of the same family. */
    boolean startsLike(IpAddress other, int prefix) {
        if (bytes.length != other.bytes.length) {
            return false;
        }
        int whole = prefix / Byte.SIZE;
        if (Arrays.mismatch(bytes, 0, whole, other.bytes, 0, whole) >= 0) {
            return false;
        }
        int rest = prefix % Byte.SIZE;
        return rest == 0 || ((bytes[whole] ^ other.bytes[whole]) & 0xff) >> (Byte.SIZE - rest) == 0;
    }

    private static boolean isMapped(byte[] bytes) {
        if (bytes.length != V6 || bytes[10] != -1 || bytes[11] != -1) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The one text of this address; IPv6 as RFC 5952 writes it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(40);
        if (!isV6()) {
            for (byte part : bytes) {
                text.append(text.isEmpty() ? "" : ".").append(part & 0xff);
            }
            return text.toString();
        }
        int from = longestZeros();
        int to = from < 0 ? -1 : endOfZeros(from);
        for (int i = 0; i < V6; i += 2) {
            if (i == from) {
                text.append("::");
                i = to - 2;
            } else {
                text.append(i == 0 || i == to ? "" : ":").append(HexFormat.of().toHexDigits(group(i), 4));
                trimZeros(text);
            }
        }
        return text.toString();
    }

    private int group(int at) {
        return ((bytes[at] & 0xff) << Byte.SIZE) | (bytes[at + 1] & 0xff);
    }

    private static void trimZeros(StringBuilder text) {
        int start = text.length() - 4;
        while (start < text.length() - 1 && text.charAt(start) == '0') {
            text.deleteCharAt(start);
        }
    }

    /** Where the first of the longest runs of at least two zero groups begins; -1: there is none. */
    private int longestZeros() {
        int longest = -1;
        int length = 2;
        for (int i = 0; i < V6; i += 2) {
            int zeros = endOfZeros(i) - i;
            if (zeros > length) {
                longest = i;
                length = zeros;
            }
        }
        return longest;
    }

    private int endOfZeros(int from) {
        int end = from;
        while (end < V6 && group(end) == 0) {
            end += 2;
        }
        return end;
    }
}
