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
    private final byte[] sha;

    private Script(byte[] text, byte[] sha) {
        this.text = text;
        this.sha = sha;
    }

    static Script of(String source) {
        byte[] text = source.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return new Script(text, HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-1", e);
        }
    }

    /** The source. Not to be changed. */
    byte[] text() {
        return text;
    }

    /** What EVALSHA calls it by, as it is sent. Not to be changed. */
    byte[] sha() {
        return sha;
    }
}
