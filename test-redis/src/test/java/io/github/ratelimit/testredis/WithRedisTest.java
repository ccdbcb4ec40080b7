/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The annotation, used through a composed one. */
@WithRedisTest.Composed
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WithRedisTest {

    @WithRedis
    @Retention(RetentionPolicy.RUNTIME)
    @interface Composed {}

    private final RedisServer injected;

    WithRedisTest(RedisServer injected) {
        this.injected = injected;
    }

    @BeforeAll
    static void isEmptyBeforeTheClass(RedisServer server) {
        assertEquals(0L, server.command("DBSIZE"));
        server.command("SET", "before", "all");
    }

    @BeforeEach
    void isTheSharedOne(RedisServer server) {
        assertSame(SharedRedis.server(), server);
        assertSame(injected, server);
    }

    @Test
    @Order(1)
    void leavesAKey(RedisServer server) {
        server.command("SET", "key", "kept");
    }

    @Test
    @Order(2)
    void keepsTheKeyBetweenTests(RedisServer server) {
        assertEquals("kept", server.command("GET", "key"));
    }

    @Nested
    class Inner {

        @Test
        void keepsTheKeysOfTheOuterClass(RedisServer server) {
            assertEquals("all", server.command("GET", "before"));
        }
    }

    @Test
    @Order(3)
    void aNewClassFindsItEmptyAndRunning(RedisServer server) {
        server.command("SET", "key", "left");
        SharedRedis.flush();
        assertEquals(0L, server.command("DBSIZE"));
        server.kill();
        SharedRedis.flush();
        assertEquals("PONG", server.command("PING"));
        server.command("SET", "before", "all");
    }

    @Test
    @Order(4)
    void theEndOfAllTestsClosesIt(RedisServer server) {
        new RedisExtension.Closing().close();
        assertFalse(server.isRunning());
        assertNotSame(server, SharedRedis.server());
        SharedRedis.server().command("SET", "before", "all");
    }
}
