/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The thread on which answers arrive, for those who send from there. */
@WithRedis
class AnswersArriveTests {

    private static final Limit ORDERS =
            Kind.TOKEN_BUCKET.named("orders").permits(10).build();

    private static final Duration SOON = Duration.ofSeconds(20);

    /** An answer that is there before anybody waits for it is met where that one is. */
    private static void learn(RedisRateLimitStore store) {
        Eventually.until("an answer has told of the thread", SOON, () -> {
            Stages.await(store.prepare());
            return store.runWhereAnswersArrive(() -> {});
        });
    }

    /** Where an answer arrives: the thread, if it is the one the store tells of. */
    private static CompletionStage<Thread> answering(RedisRateLimitStore store) {
        CompletableFuture<Thread> where = new CompletableFuture<>();
        boolean runs = store.runWhereAnswersArrive(() -> {
            var unused = store.acquire(List.of(Charge.of(ORDERS, "a", 1)))
                    .thenAccept(
                            decision -> where.complete(store.isWhereAnswersArrive() ? Thread.currentThread() : null));
        });
        assertThat(runs).isTrue();
        return where;
    }

    private static CompletionStage<Thread> running(RedisRateLimitStore store) {
        CompletableFuture<Thread> where = new CompletableFuture<>();
        assertThat(store.runWhereAnswersArrive(() -> where.complete(Thread.currentThread())))
                .isTrue();
        return where;
    }

    @Test
    void tasksRunOnTheThreadOnWhichAnswersArrive(RedisServer redis) {
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            learn(store);
            assertThat(store.isWhereAnswersArrive()).isFalse();
            assertThat(Stages.await(answering(store))).isNotNull().isSameAs(Stages.await(running(store)));
        }
    }

    @Test
    void alsoAfterAnotherConnectionWasOpened(RedisServer redis) {
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            learn(store);
            store.disconnect();
            assertThat(store.runWhereAnswersArrive(() -> {})).isFalse();
            learn(store);
            assertThat(Stages.await(answering(store))).isNotNull().isSameAs(Stages.await(running(store)));
        }
    }

    @Test
    void alsoAfterTheConnectionWasRenewed(RedisServer redis) {
        try (Client client = Client.of(redis, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            learn(store);
            Thread first = Stages.await(running(store));
            store.renew();
            Eventually.until("nothing came over the new one yet", SOON, () -> !store.runWhereAnswersArrive(() -> {}));
            learn(store);
            assertThat(Stages.await(answering(store)))
                    .isNotNull()
                    .isNotSameAs(first)
                    .isSameAs(Stages.await(running(store)));
        }
    }

    @Test
    void beforeTheFirstConnectionAndAfterTheLastThereIsNone(RedisServer redis) {
        try (Client client = Client.of(redis, Client.Kind.LETTUCE)) {
            RedisRateLimitStore store = client.store();
            assertThat(store.runWhereAnswersArrive(() -> {})).isFalse();
            assertThat(store.isWhereAnswersArrive()).isFalse();
            learn(store);
            store.close();
            assertThat(store.runWhereAnswersArrive(() -> {})).isFalse();
        }
    }

    @Test
    void aClusterHasNoneForAll() {
        try (RedisCluster cluster = RedisCluster.start();
                Client client = Client.of(cluster, Client.Kind.LETTUCE);
                RedisRateLimitStore store = client.store()) {
            Stages.await(store.prepare());
            assertThat(store.runWhereAnswersArrive(() -> {})).isFalse();
        }
    }

    @Test
    void norHasAClientThatBlocks(RedisServer redis) {
        try (Client client = Client.of(redis, Client.Kind.JEDIS);
                RedisRateLimitStore store = client.store()) {
            Stages.await(store.prepare());
            assertThat(store.runWhereAnswersArrive(() -> {})).isFalse();
            assertThat(store.isWhereAnswersArrive()).isFalse();
        }
    }
}
