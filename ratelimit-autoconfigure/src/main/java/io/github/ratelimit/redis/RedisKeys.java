/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Limit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The name of a counter in Redis: {@code <prefix>:<limit>:{<key>}:<shape>}.
 *
 * <p>The key is the hash tag, so limits of one key share a slot. A plain key stands as it is, to be read with redis-cli.
 * What would end the tag, make it empty, or be taken for something else is escaped as {@code %XX}; a long key and a key
 * that is to be kept from sight are a digest behind {@code #}; no key is {@code *}. No two keys give one name.
 */
final class RedisKeys {

    private static final int LONGEST_PLAIN_KEY = 200;
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private RedisKeys() {}

    /** The part of a key between the braces. */
    static String tag(String key, boolean digest) {
        if (key.isEmpty()) {
            return "*";
        }
        if (digest || key.length() > LONGEST_PLAIN_KEY) {
            return "#" + digest(key);
        }
        return isPlain(key) ? key : escaped(key);
    }

    /** The name up to the opening brace. */
    static String before(String prefix, Limit limit) {
        return beginning(prefix) + limit.name() + ":{";
    }

    /** What all names begin with. */
    static String beginning(String prefix) {
        return prefix.isEmpty() || prefix.endsWith(":") ? prefix : prefix + ":";
    }

    private static boolean isPlain(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (isSpecial(key, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSpecial(String key, int index) {
        char c = key.charAt(index);
        if (c < ' ' || c == '%' || c == '{' || c == '}' || c == 0x7F || Character.isSurrogate(c)) {
            return true;
        }
        return index == 0 && (c == '#' || (c == '*' && key.length() == 1));
    }

    /** Pairs of surrogates stand as they are; one alone has no UTF-8 and is escaped like a control character. */
    private static String escaped(String key) {
        StringBuilder text = new StringBuilder(key.length() + 16);
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < key.length() && Character.isLowSurrogate(key.charAt(i + 1))) {
                text.append(c).append(key.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                text.append("%u");
                hex(text, c >> 8);
                hex(text, c & 0xFF);
            } else if (isSpecial(key, i)) {
                text.append('%');
                hex(text, c);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static void hex(StringBuilder text, int octet) {
        text.append(HEX[octet >> 4]).append(HEX[octet & 0xF]);
    }

    private static String digest(String key) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] bytes = isWellFormed(key) ? key.getBytes(StandardCharsets.UTF_8) : utf16(key);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sha.digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private static boolean isWellFormed(String key) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(key);
    }

    /** With a mark in front that no UTF-8 text begins with. */
    private static byte[] utf16(String key) {
        byte[] bytes = new byte[2 * key.length() + 1];
        bytes[0] = (byte) 0xFF;
        for (int i = 0; i < key.length(); i++) {
            bytes[2 * i + 1] = (byte) (key.charAt(i) >> 8);
            bytes[2 * i + 2] = (byte) key.charAt(i);
        }
        return bytes;
    }
}
