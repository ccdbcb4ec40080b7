/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A script as Redis knows it. */
final class Script {

    private final byte[] text;
    private final String sha;
    private final byte[] shaBytes;

    private Script(byte[] text, String sha) {
        this.text = text;
        this.sha = sha;
        this.shaBytes = sha.getBytes(StandardCharsets.US_ASCII);
    }

    static Script of(String source) {
        byte[] text = source.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return new Script(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-1", e);
        }
    }

    /** The source. */
    byte[] text() {
        return text;
    }

    /** What EVALSHA calls it by. */
    String sha() {
        return sha;
    }

    /** The same, as it is sent. Not to be changed. */
    byte[] shaBytes() {
        return shaBytes;
    }
}
