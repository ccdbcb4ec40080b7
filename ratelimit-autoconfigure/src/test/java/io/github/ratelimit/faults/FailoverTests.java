/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.faults.Load.Sample;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.SlotMove;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

/** Masters that die, and slots that move, under load: every call is answered, and counted by the new master soon. */
@Tag("faults")
class FailoverTests {

    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final Duration RETURN = Duration.ofSeconds(5);

    /** Four times the store's timeout: machines that test are busy. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(1);

    @ParameterizedTest
    @EnumSource
    void theMasterThatSentinelPromotesCounts(Client.Kind kind) {
        try (Sentinel sentinel = Sentinel.start()) {
            RedisSentinelConfiguration address = new RedisSentinelConfiguration()
                    .master(Sentinel.NAME)
                    .sentinel(new RedisNode("127.0.0.1", sentinel.port()));
            try (Client client = Client.of(address, kind);
                    Guarded guarded = Guarded.over(client.connections());
                    Load load = new Load(guarded.store)) {
                sentinel.master().kill();
                awaitMaster(sentinel.replica());
                long promoted = System.nanoTime();
                Eventually.until("counted again", RETURN, () -> isCounted(load));
                assertThat(load.between(promoted, System.nanoTime())).isNotEmpty();
                assertThat(counters(sentinel.replica())).isPositive();
                isSound(load, 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theReplicaThatAClusterPromotesCounts(Client.Kind kind) {
        try (RedisCluster cluster = RedisCluster.builder()
                .replicasPerMaster(1)
                .config("cluster-node-timeout", "1000")
                .start()) {
            try (Client client = Client.of(cluster, kind);
                    Guarded guarded = Guarded.over(client.connections());
                    Load load = new Load(guarded.store)) {
                RedisServer master = cluster.masterOf(Load.KEY);
                RedisServer replica = cluster.replicas().get(cluster.masters().indexOf(master));
                master.kill();
                awaitMaster(replica);
                Eventually.until(
                        "the cluster serves all slots",
                        FAILOVER,
                        () -> String.valueOf(replica.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
                Eventually.until("counted again", RETURN, () -> isCounted(load));
                assertThat(counters(replica)).isPositive();
                isSound(load, 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlotThatMovesTakesItsCountersAlongAndFailsNoCall(Client.Kind kind) {
        try (RedisCluster cluster = RedisCluster.builder().start()) {
            try (Client client = Client.of(cluster, kind);
                    Guarded guarded = Guarded.over(client.connections());
                    Load load = new Load(guarded.store)) {
                Eventually.until("counted", RETURN, () -> load.letThrough() >= Load.PERMITS / 2);
                RedisServer from = cluster.masterOf(Load.KEY);
                RedisServer to = cluster.masters().stream()
                        .filter(other -> !other.equals(from))
                        .findFirst()
                        .orElseThrow();
                move(cluster, to, load);
                Eventually.until("counted there", RETURN, () -> counters(to) > 0 && isCounted(load));
                isSound(load, guarded.causes.isEmpty() ? 1 : 2);
                assertThat(guarded.causes)
                        .as("none but what a busy machine costs")
                        .isSubsetOf("timeout");
            }
        }
    }

    /** Takes each key by itself, so that calls meet a slot of which some keys are here and some there. */
    private static void move(RedisCluster cluster, RedisServer to, Load load) {
        SlotMove move = cluster.move(Load.KEY, to);
        for (String key : move.left()) {
            move.take(key);
            int decided = load.all().size();
            Eventually.until("called meanwhile", RETURN, () -> load.all().size() > decided + 20);
        }
        assertThat(move.isAskedFor())
                .as("keys are asked for where they move to")
                .isTrue();
        move.finish();
    }

    /** Every call was decided in time and by its policy; all that count granted no more than so many times the permits. */
    private static void isSound(Load load, int counting) {
        load.finish();
        assertThat(load.all()).allMatch(Sample::isByPolicy);
        assertThat(load.all()).allMatch(sample -> sample.tookNanos() < LONGEST_CALL.toNanos());
        assertThat(load.letThrough()).isLessThanOrEqualTo(Load.PERMITS * counting);
    }

    private static void awaitMaster(RedisServer replica) {
        Eventually.until(
                "promoted",
                FAILOVER,
                () -> String.valueOf(replica.command("INFO", "replication")).contains("role:master"));
    }

    private static long counters(RedisServer server) {
        return ((List<?>) server.command("KEYS", Load.PREFIX + ":*")).size();
    }

    /** Whether Redis has counted everything for a while. */
    private static boolean isCounted(Load load) {
        long now = System.nanoTime();
        var lately = load.between(now - Duration.ofMillis(300).toNanos(), now);
        return lately.size() > 20
                && lately.stream()
                        .noneMatch(sample -> Set.of("503", "uncounted").contains(sample.outcome()));
    }
}
