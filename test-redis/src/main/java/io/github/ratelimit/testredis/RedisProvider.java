/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.util.Locale;

/**
 * Where a test Redis comes from.
 *
 * <p>Without a wish the first usable one is taken in the order of the constants. A wish is made with the system
 * properties {@value #PROVIDER_PROPERTY} ({@code docker}, {@code path} or {@code embedded}) and
 * {@value #EXECUTABLE_PROPERTY} (path of a {@code redis-server}); a wish that cannot be met is an error, never a
 * silent change to another one.
 */
public enum RedisProvider {

    /** A container started by Testcontainers; the image is the system property {@value #IMAGE_PROPERTY}. */
    DOCKER,
    /** The {@code redis-server} found on the {@code PATH}, or the executable that was asked for. */
    PATH,
    /** The binary that the {@code embedded-redis} library brings along. */
    EMBEDDED;

    /** Name of the system property that chooses the provider. */
    public static final String PROVIDER_PROPERTY = "redis.test.provider";

    /** Name of the system property that chooses the {@code redis-server} executable. */
    public static final String EXECUTABLE_PROPERTY = "redis.test.executable";

    /** Name of the system property that chooses the container image. */
    public static final String IMAGE_PROPERTY = "redis.test.image";

    static RedisProvider parse(String name) {
        for (RedisProvider provider : values()) {
            if (provider.name().toLowerCase(Locale.ROOT).equals(name)) {
                return provider;
            }
        }
        throw new IllegalArgumentException(
                "Unknown Redis provider '" + name + "' in " + PROVIDER_PROPERTY + ": docker, path or embedded");
    }
}
