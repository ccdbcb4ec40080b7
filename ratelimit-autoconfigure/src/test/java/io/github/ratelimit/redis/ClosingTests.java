/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.ratelimit.faults.TcpProxy;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import io.github.ratelimit.tuning.SharedNotes;
import io.lettuce.core.resource.ClientResources;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An application may close at any moment while its connection is opened: at once, in silence, and nobody waits for ever. */
@WithRedis
class ClosingTests {

    private static final int ROUNDS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration SOON = Duration.ofMillis(900);

    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final RedisServer redis;

    ClosingTests(RedisServer redis) {
        this.redis = redis;
    }

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        root.detachAppender(log);
    }

    @Test
    void whileItConnects() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            closeAfter(random.nextLong(5_000_000), redis.port());
        }
        assertThat(complaints()).isEmpty();
    }

    @Test
    void whileRedisDoesNotAnswer() throws Exception {
        try (TcpProxy way = new TcpProxy(redis.port())) {
            way.hold();
            for (int i = 0; i < ROUNDS / 4; i++) {
                closeAfter(random.nextLong(100_000_000), way.port());
            }
        }
        assertThat(complaints()).isEmpty();
    }

    @Test
    void afterItWasRefused() throws Exception {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        ClientResources resources = ClientResources.create();
        try (Client client = Client.at(nobody, PATIENCE, resources);
                RedisRateLimitStore store = client.store()) {
            assertThat(store.prepare().toCompletableFuture()).failsWithin(PATIENCE);
        }
        LockSupport.parkNanos(OwnLettuceClient.LONGEST_OPENING.plusMillis(300).toNanos());
        resources.shutdown(0, 100, TimeUnit.MILLISECONDS).get();
        assertThat(complaints()).isEmpty();
    }

    @Test
    void whileNotesAreOpened(RedisCluster cluster) {
        for (int i = 0; i < ROUNDS / 4; i++) {
            try (Client client = Client.of(cluster, Client.Kind.LETTUCE)) {
                SharedNotes notes = RedisNotes.over(client.connections(), "closing");
                notes.onChange(() -> {});
                CompletableFuture<Boolean> read =
                        CompletableFuture.supplyAsync(notes::read).handle((texts, failure) -> failure == null);
                LockSupport.parkNanos(random.nextLong(20_000_000));
                notes.close();
                assertThat(read).succeedsWithin(PATIENCE);
            }
        }
        assertThat(errors()).isEmpty();
    }

    @Test
    void whileItConnectsToACluster(RedisCluster cluster) {
        for (int i = 0; i < ROUNDS / 4; i++) {
            try (Client client = Client.of(cluster, Client.Kind.LETTUCE)) {
                RedisRateLimitStore store = client.store();
                CompletableFuture<Boolean> prepared = store.prepare()
                        .handle((done, failure) -> failure == null)
                        .toCompletableFuture();
                LockSupport.parkNanos(random.nextLong(20_000_000));
                store.close();
                assertThat(prepared).succeedsWithin(PATIENCE);
            }
        }
        assertThat(errors()).isEmpty();
    }

    private static void closeAfter(long nanos, int port) throws Exception {
        ClientResources resources = ClientResources.create();
        try (Client client = Client.at(port, PATIENCE, resources)) {
            RedisRateLimitStore store = client.store();
            CompletableFuture<Boolean> prepared =
                    store.prepare().handle((done, failure) -> failure == null).toCompletableFuture();
            LockSupport.parkNanos(nanos);
            long began = System.nanoTime();
            store.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
            assertThat(prepared.get(SOON.toMillis(), TimeUnit.MILLISECONDS)).isIn(true, false);
        } finally {
            var unused = resources.shutdown(0, 100, TimeUnit.MILLISECONDS);
        }
    }

    /** On a busy machine an attempt may be cut short; that is a warning. */
    private List<String> errors() {
        return complaints().stream()
                .filter(line -> line.contains("ERROR") || line.contains("executor not accepting"))
                .toList();
    }

    private List<String> complaints() {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .filter(event -> !event.getLoggerName().startsWith("org.testcontainers"))
                .map(ILoggingEvent::toString)
                .toList();
    }
}
