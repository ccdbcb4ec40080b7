/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A real Redis for tests: servers and clusters with their own process, port and directory, and a JUnit 5 extension
 * that hands them out.
 *
 * <pre>{@code
 * @WithRedis
 * class SomeTests {
 *     @Test
 *     void answers(RedisServer redis) {                      // or RedisCluster; shared by all test classes
 *         assertEquals("PONG", redis.command("PING"));
 *     }
 * }
 *
 * try (RedisServer own = RedisServer.builder().config("maxmemory", "10mb").start()) {
 *     own.pause();
 * }
 * }</pre>
 *
 * <p>Which Redis is started: Testcontainers when Docker answers, else the {@code redis-server} on the {@code PATH},
 * else the binary bundled with {@code embedded-redis}; see {@link io.github.ratelimit.testredis.RedisProvider}.
 */
@NullMarked
package io.github.ratelimit.testredis;

import org.jspecify.annotations.NullMarked;
