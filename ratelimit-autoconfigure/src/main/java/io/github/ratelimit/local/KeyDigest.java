/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What is kept of a long key: callers, who choose keys, may choose them as long as they like. */
final class KeyDigest {

    private static final int LONGEST_PLAIN_KEY = 200;

    /** What no other key begins with. */
    private static final char MARK = 0;

    private KeyDigest() {}

    /** A key as it is, or a digest of it. No two keys give one text. */
    static String kept(String key) {
        boolean marked = !key.isEmpty() && key.charAt(0) == MARK;
        return marked || key.length() > LONGEST_PLAIN_KEY ? MARK + digest(key) : key;
    }

    private static String digest(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes(key));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /** Char by char: no encoding tells all lone surrogates apart. */
    private static byte[] bytes(String key) {
        byte[] bytes = new byte[2 * key.length()];
        for (int i = 0; i < key.length(); i++) {
            bytes[2 * i] = (byte) (key.charAt(i) >> 8);
            bytes[2 * i + 1] = (byte) key.charAt(i);
        }
        return bytes;
    }
}
