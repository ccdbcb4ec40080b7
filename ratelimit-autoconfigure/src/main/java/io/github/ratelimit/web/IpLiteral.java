/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of an address literal: four decimal numbers without leading zeros (which some read as octal), or IPv6 as
 * RFC 4291 writes it, with a zone or without.
 */
final class IpLiteral {

    private static final int GROUPS = 8;
    private static final int LONGEST = 64;

    private final String text;
    private int at;

    private IpLiteral(String text) {
        this.text = text;
    }

    /** 4 or 16 bytes; {@code null} if the text is no address. */
    static byte @Nullable [] parse(String literal) {
        int zone = literal.indexOf('%');
        String text = zone < 0 ? literal : literal.substring(0, zone);
        if (text.isEmpty() || text.length() > LONGEST) {
            return null;
        }
        boolean v6 = text.indexOf(':') >= 0;
        if (!v6 && zone >= 0) {
            return null;
        }
        IpLiteral reader = new IpLiteral(text);
        byte[] bytes = v6 ? reader.v6() : reader.v4();
        return reader.at == text.length() ? bytes : null;
    }

    private byte @Nullable [] v4() {
        byte[] bytes = new byte[4];
        for (int i = 0; i < bytes.length; i++) {
            if (i > 0 && !skip('.')) {
                return null;
            }
            int part = number(10, 3);
            if (part < 0 || part > 0xff) {
                return null;
            }
            bytes[i] = (byte) part;
        }
        return bytes;
    }

    private byte @Nullable [] v6() {
        byte[] bytes = new byte[2 * GROUPS];
        int read = 0;
        int gap = -1;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            if (endsInV4()) {
                byte[] tail = v4();
                if (tail == null || read > GROUPS - 2) {
                    return null;
                }
                System.arraycopy(tail, 0, bytes, 2 * read, tail.length);
                read += 2;
                break;
            }
            int group = number(16, 4);
            if (group < 0 || read == GROUPS) {
                return null;
            }
            bytes[2 * read] = (byte) (group >> Byte.SIZE);
            bytes[2 * read + 1] = (byte) group;
            read++;
            if (at < text.length()) {
                if (!skip(':') || at == text.length()) {
                    return null;
                }
                if (skip(':')) {
                    if (gap >= 0) {
                        return null;
                    }
                    gap = read;
                }
            }
        }
        return spread(bytes, read, gap);
    }

    /** Moves what stands behind the {@code ::} to the end. */
    private static byte @Nullable [] spread(byte[] bytes, int read, int gap) {
        if (gap < 0) {
            return read == GROUPS ? bytes : null;
        }
        if (read == GROUPS) {
            return null;
        }
        int behind = 2 * (read - gap);
        System.arraycopy(bytes, 2 * gap, bytes, bytes.length - behind, behind);
        Arrays.fill(bytes, 2 * gap, bytes.length - behind, (byte) 0);
        return bytes;
    }

    private boolean endsInV4() {
        return text.indexOf('.', at) >= 0 && text.indexOf(':', at) < 0;
    }

    private boolean skip(char expected) {
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    /** A number of so many digits at most; -1 if there is none. Decimal numbers have no leading zeros. */
    private int number(int radix, int most) {
        int start = at;
        int value = 0;
        while (at < text.length() && at - start < most) {
            char c = text.charAt(at);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                break;
            }
            value = value * radix + digit;
            at++;
        }
        boolean octal = radix == 10 && at - start > 1 && text.charAt(start) == '0';
        return at == start || octal ? -1 : value;
    }
}
