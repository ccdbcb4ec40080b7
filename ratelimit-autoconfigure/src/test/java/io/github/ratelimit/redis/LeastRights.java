/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code docs/redis.md} says a Redis user must be allowed. */
public final class LeastRights {

    private static final Path PAGE = Path.of("..", "docs", "redis.md");
    private static final Pattern RULES = Pattern.compile("(?s)ACL SETUSER counter on >\\S+ (.*?)\\n\\n");

    private LeastRights() {}

    /** The rules behind the password, as {@code ACL SETUSER} takes them. */
    public static List<String> rules() {
        try {
            Matcher rules = RULES.matcher(Files.readString(PAGE));
            if (!rules.find()) {
                throw new IllegalStateException(PAGE + " does not say what a user must be allowed");
            }
            return List.of(rules.group(1).trim().split("\\s+", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
