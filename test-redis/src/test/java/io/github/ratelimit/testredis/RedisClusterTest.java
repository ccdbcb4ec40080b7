/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@WithRedis
class RedisClusterTest {

    @Test
    void threeMastersShareTheSlots(RedisCluster cluster) {
        assertEquals(3, cluster.masters().size());
        assertEquals(cluster.masters(), cluster.nodes());
        for (RedisServer node : cluster.nodes()) {
            String info = String.valueOf(node.command("CLUSTER", "INFO"));
            assertEquals("ok", RedisInfo.field(info, "cluster_state"));
            assertEquals("16384", RedisInfo.field(info, "cluster_slots_ok"));
            assertEquals("3", RedisInfo.field(info, "cluster_size"));
            assertTrue(node.port() + FreePorts.BUS_OFFSET < 65_536);
        }
    }

    @Test
    void everyKeyHasItsMaster(RedisCluster cluster) {
        for (int i = 0; i < 100; i++) {
            String key = "key" + i;
            RedisServer master = cluster.masterOf(key);
            assertEquals("OK", master.command("SET", key, "value"));
            for (RedisServer other : cluster.masters()) {
                if (other != master) {
                    assertError("MOVED", () -> other.command("GET", key));
                }
            }
        }
        cluster.flush();
        cluster.masters().forEach(master -> assertEquals(0L, master.command("DBSIZE")));
    }

    @Test
    void keysOfTwoSlotsAreRefused(RedisCluster cluster) {
        assertError("CROSSSLOT", () -> cluster.masterOf("a").command("MSET", "a", "1", "b", "2"));
        assertEquals("OK", cluster.masterOf("{a}1").command("MSET", "{a}1", "1", "{a}2", "2"));
    }

    @Test
    void aSlotMovesKeyByKey() {
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisServer from = cluster.masters().get(0);
            RedisServer to = cluster.masters().get(1);
            String tag = "{" + cluster.keyOf(from) + "}";
            from.command("MSET", tag + 1, "one", tag + 2, "two");
            SlotMove move = cluster.move(tag, to);
            move.take(tag + 1);
            assertEquals(List.of(tag + 2), move.left());
            assertError("ASK", () -> from.command("GET", tag + 1));
            // Redis 6 sends to the new place first, which then says so
            assertError("TRYAGAIN|ASK", () -> from.command("MGET", tag + 1, tag + 2));
            assertEquals("two", from.command("GET", tag + 2));
            assertFalse(move.isAskedFor());
            move.abandon();
            assertNull(from.command("GET", tag + 1));
            move = cluster.move(tag, to);
            move.take(tag + 2);
            move.finish();
            assertEquals("two", to.command("GET", tag + 2));
            assertError("MOVED", () -> from.command("GET", tag + 2));
        }
    }

    @Test
    void addressesNameAllNodes(RedisCluster cluster) {
        List<String> addresses = List.of(cluster.addresses().split(",", -1));
        assertEquals(3, addresses.size());
        assertEquals("127.0.0.1:" + cluster.nodes().get(2).port(), addresses.get(2));
    }

    @Test
    void aSingleNodeHasAllSlots() {
        RedisCluster cluster = RedisCluster.startSingleNode();
        RedisServer node = cluster.nodes().get(0);
        try (cluster) {
            assertEquals(1, cluster.nodes().size());
            assertEquals("OK", node.command("SET", "key", "value"));
            assertError("CROSSSLOT", () -> node.command("MGET", "a", "b"));
        }
        assertFalse(node.isRunning());
        assertFalse(Files.exists(node.directory()));
    }

    @Test
    void replicasFollowAndKilledNodesComeBack() {
        try (RedisCluster cluster = RedisCluster.builder()
                .masters(2)
                .replicasPerMaster(1)
                .password("secret")
                .start()) {
            assertEquals(4, cluster.nodes().size());
            RedisServer master = cluster.masterOf("key");
            RedisServer replica = cluster.replicas().get(cluster.masters().indexOf(master));
            master.command("SET", "key", "value");
            assertEquals(1L, master.command("WAIT", "1", "10000"));
            try (RedisCommands reading = replica.connect()) {
                reading.send("READONLY");
                assertEquals("value", reading.send("GET", "key"));
            }
            String id = String.valueOf(replica.command("CLUSTER", "MYID"));
            replica.kill();
            replica.restart();
            cluster.awaitOk();
            assertEquals(id, replica.command("CLUSTER", "MYID"));
        }
    }

    private static void assertError(String codes, Executable sending) {
        RedisReplyException error = assertThrows(RedisReplyException.class, sending);
        assertTrue(String.valueOf(error.getMessage()).matches("(" + codes + ") .*"), error::toString);
    }
}
