/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.faults.TcpProxy;
import io.github.ratelimit.local.LocalRateLimitStore;
import io.github.ratelimit.store.Carrier;
import io.github.ratelimit.store.Remote;
import io.github.ratelimit.store.SteadfastStore;
import io.github.ratelimit.store.StoreHealth;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

/** A connection that breaks, or leads nowhere, is replaced; what was under way on it is never sent again. */
@WithRedis
class BrokenConnectionTests {

    private static final Limit LIMIT = Limit.named("broken")
            .algorithm(Algorithm.FIXED_WINDOW)
            .permits(100)
            .period(Duration.ofDays(31))
            .build();
    private static final Limit UNCOUNTED = Limit.named("uncounted")
            .permits(1_000_000)
            .period(Duration.ofDays(1))
            .onStoreFailure(FailurePolicy.ALLOW)
            .build();
    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final Duration SOON = Duration.ofSeconds(5);

    private final RedisServer server;
    private final TcpProxy way;
    private final Client client;
    private final RedisRateLimitStore store;

    BrokenConnectionTests(RedisServer server) {
        this.server = server;
        this.way = new TcpProxy(server.port());
        this.client = Client.at(way.port(), PATIENCE);
        this.store = client.store();
    }

    @BeforeEach
    void connect() {
        server.flush();
        Stages.await(store.prepare());
    }

    @AfterEach
    void close() {
        store.close();
        client.close();
        way.close();
    }

    private CompletableFuture<Decision> acquire() {
        return store.acquire(List.of(Charge.of(LIMIT, "alice", 1))).toCompletableFuture();
    }

    /** How many permits are left; null while there is no connection. */
    private static @Nullable Long left(RedisRateLimitStore store) {
        try {
            return ((Allowed) Stages.await(store.peek(List.of(Charge.of(LIMIT, "alice", 0))))).remaining();
        } catch (RuntimeException notConnected) {
            return null;
        }
    }

    private static boolean isLeft(long permits, RedisRateLimitStore store) {
        return Objects.equals(left(store), permits);
    }

    @Test
    void chargesWhoseRepliesWereLostFailAndAreNotSentAgain() {
        way.replies(TcpProxy.Reply.WITHHELD);
        List<CompletableFuture<Decision>> calls =
                Stream.generate(this::acquire).limit(5).toList();
        try (Client straight = Client.at(server.port(), PATIENCE);
                RedisRateLimitStore other = straight.store()) {
            Eventually.until("all are charged", SOON, () -> isLeft(95, other));
        }
        way.reset();
        way.replies(TcpProxy.Reply.WHOLE);
        for (CompletableFuture<Decision> call : calls) {
            assertThatExceptionOfType(Exception.class)
                    .isThrownBy(() -> call.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
                    .withMessageContaining("Redis cannot answer");
        }
        Eventually.until("the connection is back", SOON, () -> left(store) != null);
        assertThat(left(store)).isEqualTo(95);
    }

    @Test
    void theNextCallAfterABreakOpensAnotherConnection() {
        way.reset();
        Eventually.until("the connection is back", SOON, () -> isLeft(100, store));
    }

    @Test
    void aConnectionThatLeadsNowhereIsReplacedByItself() {
        Remote remote = new Remote(
                store,
                store::acquireInTurn,
                "over a way",
                store::route,
                store::renew,
                new Carrier(store::isWhereAnswersArrive, store::runWhereAnswersArrive));
        try (SteadfastStore steadfast =
                new SteadfastStore(remote, new LocalRateLimitStore(10), PATIENCE, 1, StoreHealth.NONE)) {
            Eventually.until("counted", SOON, () -> areCounted(2, steadfast));
            way.holdPresentOnes();
            assertThat(areCounted(1, steadfast)).isFalse();
            Eventually.until("counted again, many times in a row", SOON, () -> areCounted(20, steadfast));
        }
    }

    private static boolean areCounted(int inARow, SteadfastStore steadfast) {
        return Stream.generate(() -> Stages.await(steadfast.acquire(List.of(Charge.of(UNCOUNTED, "alice", 1)))))
                .limit(inARow)
                .noneMatch(Uncounted.class::isInstance);
    }

    @Test
    void nothingIsKeptOfConnectionsThatBroke() {
        OwnLettuceClient own = new OwnLettuceClient((LettuceConnectionFactory) client.connections());
        try (RedisRateLimitStore breaking =
                new RedisRateLimitStore(new LettuceTransport(own, Runnable::run, PATIENCE), "broken")) {
            for (int i = 0; i < 5; i++) {
                Eventually.until("connected", SOON, () -> left(breaking) != null);
                way.reset();
            }
            Eventually.until("one is kept", SOON, () -> left(breaking) != null && kept(own) == 1);
        }
    }

    private static int kept(OwnLettuceClient own) {
        Object running = Objects.requireNonNull(ReflectionTestUtils.getField(own, "running"));
        var ours = (LettuceConnectionFactory) ReflectionTestUtils.getField(running, "ours");
        Object kept = ReflectionTestUtils.getField(
                Objects.requireNonNull(ours).getRequiredNativeClient(), "closeableResources");
        return ((Collection<?>) Objects.requireNonNull(kept)).size();
    }

    @Test
    void aConnectionThatLeadsNowhereIsReplacedBesideWhatIsUnderWay() {
        way.holdPresentOnes();
        CompletableFuture<Decision> underWay = acquire();
        store.renew();
        Eventually.until(
                "another connection",
                SOON,
                () -> acquire()
                        .orTimeout(100, TimeUnit.MILLISECONDS)
                        .handle((decision, failure) -> failure == null)
                        .join());
        assertThat(underWay).isNotDone();
    }

    @Test
    void aCallThatWaitedTooLongForAConnectionIsNotSent() throws Exception {
        way.reset();
        way.hold();
        CompletableFuture<Decision> call = acquire();
        long asked = System.nanoTime();
        Eventually.until("nobody waits any more", SOON, () -> System.nanoTime() - asked > 2 * PATIENCE.toNanos());
        way.heal();
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> call.get(SOON.toMillis(), TimeUnit.MILLISECONDS))
                .withMessageContaining("Redis cannot answer");
        Eventually.until("no charge", SOON, () -> isLeft(100, store));
    }
}
