/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

/** Servers that are processes of this machine even where Docker answers. */
final class LocalRedis {

    private LocalRedis() {}

    static RedisSource source() {
        String provider = System.getProperty(RedisProvider.PROVIDER_PROPERTY, "");
        return RedisSource.choose(
                provider.equals("docker") ? "" : provider,
                System.getProperty(RedisProvider.EXECUTABLE_PROPERTY, ""),
                System.getenv().getOrDefault("PATH", ""),
                () -> false);
    }

    static RedisServerBuilder builder() {
        return RedisServer.builder().source(source());
    }

    static RedisServer start() {
        return builder().start();
    }

    static boolean runs(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
