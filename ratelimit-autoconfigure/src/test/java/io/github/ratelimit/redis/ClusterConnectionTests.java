/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisCommands;
import io.github.ratelimit.testredis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

/** The connection to a cluster when the one of its connections breaks over which nothing of ours goes. */
class ClusterConnectionTests {

    private static final Limit LIMIT =
            Limit.named("orders").permits(1_000_000).period(Duration.ofDays(1)).build();

    /** Less than it takes to find out that a node does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration SOON = Duration.ofSeconds(20);

    private final RedisCluster cluster =
            RedisCluster.builder().config("cluster-node-timeout", "60000").start();
    private final List<RedisServer> ours = cluster.masters().subList(0, 2);
    private final RedisServer other = cluster.masters().get(2);
    private final List<Charge> charges = ours.stream()
            .map(master -> Charge.of(LIMIT, cluster.keyOf(master), 1))
            .toList();

    /** Lettuce's first connection goes to the node with the fewest clients. */
    private final List<RedisCommands> crowd = ours.stream()
            .flatMap(master -> Stream.generate(master::connect).limit(5))
            .toList();

    private final Client client = Client.of(cluster, Client.Kind.LETTUCE);
    private final OwnLettuceClient own = new OwnLettuceClient((LettuceConnectionFactory) client.connections());
    private final LettuceTransport transport = new LettuceTransport(own, ClusterConnectionTests::start, PATIENCE);
    private final RedisRateLimitStore store = new RedisRateLimitStore(transport, "test");

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "connector");
        thread.setDaemon(true);
        thread.start();
    }

    @BeforeEach
    void connect() {
        Eventually.until("connected", SOON, this::isCounted);
        Eventually.until(
                "only one of ours is to the other node",
                SOON,
                () -> clients(other).size() == 2);
    }

    private boolean isCounted() {
        try {
            count();
            return true;
        } catch (RateLimitStoreException notInTime) {
            return false;
        }
    }

    @AfterEach
    void close() {
        other.resume();
        store.close();
        client.close();
        crowd.forEach(RedisCommands::close);
        cluster.close();
    }

    /** Fails where one is not counted. */
    private void count() {
        charges.forEach(charge -> assertThat(
                        Stages.await(store.acquire(List.of(charge))).passes())
                .isTrue());
    }

    @Test
    void aNodeThatIsLostAndHasNoneOfOurKeysIsNotWaitedFor() {
        Set<String> before = counting();
        hangUp(other);
        other.pause();
        Eventually.until("another connection has taken its place", SOON, () -> {
            count();
            return !before.containsAll(counting());
        });
        count();
    }

    @Test
    void whereAllMayHaveHungUpTheNextCallWaitsForAnother() {
        LettuceLink link = link();
        cluster.masters().forEach(ClusterConnectionTests::hangUp);
        Eventually.until("broken", SOON, () -> !link.isOpen());
        ReflectionTestUtils.setField(link, "answeredAt", System.nanoTime() - SOON.toNanos());
        count();
    }

    private LettuceLink link() {
        Object way = Objects.requireNonNull(ReflectionTestUtils.getField(transport, "way"));
        var link = (AtomicReference<?>) Objects.requireNonNull(ReflectionTestUtils.getField(way, "link"));
        return (LettuceLink) ((CompletableFuture<?>) Objects.requireNonNull(link.get())).join();
    }

    private static void hangUp(RedisServer node) {
        node.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }

    /** The connections to a node of ours over which scripts were called. */
    private Set<String> counting() {
        return clients(ours.get(0)).stream()
                .filter(line -> line.contains(" cmd=evalsha "))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    private static List<String> clients(RedisServer node) {
        return String.valueOf(node.command("CLIENT", "LIST", "TYPE", "normal"))
                .lines()
                .toList();
    }
}
