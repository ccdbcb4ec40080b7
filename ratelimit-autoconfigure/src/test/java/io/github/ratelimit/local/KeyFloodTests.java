/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** More keys than may be kept. */
class KeyFloodTests {

    private static final Limit ORDERS =
            Limit.named("orders").permits(10).period(Duration.ofSeconds(10)).build();

    private final Logger logger = (Logger) LoggerFactory.getLogger(Cells.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    /** The beginning of 10 seconds. */
    private long now = 1_800_000_000_000_000L;

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
    }

    private LocalRateLimitStore store(int maxKeys) {
        return new LocalRateLimitStore(() -> now, maxKeys);
    }

    private static Decision acquire(LocalRateLimitStore store, Limit limit, String key, long cost) {
        return Stages.await(store.acquire(List.of(Charge.of(limit, key, cost))));
    }

    private static long remaining(LocalRateLimitStore store, Limit limit, String key) {
        return ((Allowed) Stages.await(store.peek(List.of(Charge.of(limit, key, 0))))).remaining();
    }

    private static void fill(LocalRateLimitStore store, int keys) {
        for (int i = 0; i < keys; i++) {
            acquire(store, ORDERS, "old-" + i, 5);
        }
    }

    @Test
    void keepsNoMoreThanStatedAndForgetsNobody() {
        LocalRateLimitStore store = store(100);
        fill(store, 5_000);

        assertThat(store.size()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(remaining(store, ORDERS, "old-" + i)).isEqualTo(5);
        }
    }

    @Test
    void thoseWithoutRoomShareOneCounterPerLimit() {
        LocalRateLimitStore store = store(4);
        Limit mails = ORDERS.with().permits(20).burst(null).build();
        Limit other = Kind.TOKEN_BUCKET_INTERVAL
                .named("mails")
                .permits(7)
                .period(Duration.ofSeconds(10))
                .build();
        fill(store, 4);

        assertThat(acquire(store, ORDERS, "a", 6)).isEqualTo(new Allowed(ORDERS, 4, 6_000_000, 0));
        assertThat(acquire(store, ORDERS, "b", 4)).isEqualTo(new Allowed(ORDERS, 0, 10_000_000, 0));
        assertThat(acquire(store, ORDERS, "c", 1).passes()).isFalse();
        assertThat(remaining(store, ORDERS, "d")).isZero();
        // other numbers of the same limit share on, another limit does not
        assertThat(remaining(store, mails, "d")).isZero();
        assertThat(remaining(store, other, "d")).isEqualTo(7);
        assertThat(acquire(store, other, "d", 7).passes()).isTrue();
        assertThat(acquire(store, other, "e", 1).passes()).isFalse();
        assertThat(remaining(store, ORDERS, "old-0")).isEqualTo(5);
        assertThat(store.size()).isEqualTo(4);
    }

    @Test
    void warnsOncePerLimit() {
        LocalRateLimitStore store = store(1);
        fill(store, 50);

        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .isEqualTo("1 keys are counted in this JVM and all of them are in use: further keys of limit"
                            + " 'orders' share one counter. Raise ratelimit.local.max-keys if that many keys are"
                            + " expected.");
        });
        acquire(
                store,
                ORDERS.with()
                        .algorithm(io.github.ratelimit.Algorithm.LEAKY_BUCKET)
                        .build(),
                "a",
                1);
        assertThat(log.list).hasSize(2);
    }

    /** The first hundred counters are in use, those behind them are not. */
    @Test
    void aFloodDoesNotLookAtManyCountersAgainAndAgain() {
        LocalRateLimitStore store = store(150);
        Limit brief =
                Limit.named("brief").permits(10).period(Duration.ofMillis(10)).build();
        fill(store, 100);
        for (int i = 0; i < 50; i++) {
            acquire(store, brief, "brief-" + i, 1);
        }
        now += 20_000;
        assertThat(getsItsOwn(store, "looks at 64")).isFalse();
        now += 999;
        assertThat(getsItsOwn(store, "looks at 4")).isFalse();
        now += 1;
        assertThat(getsItsOwn(store, "looks at 64 again")).isTrue();
    }

    /** A shared counter is not reset. */
    private static boolean getsItsOwn(LocalRateLimitStore store, String key) {
        acquire(store, ORDERS, key, 1);
        Stages.await(store.reset(ORDERS, key));
        return remaining(store, ORDERS, key) == 10;
    }

    @Test
    void unusedCountersMakeRoom() {
        LocalRateLimitStore store = store(100);
        fill(store, 100);
        now += 4_999_999;
        acquire(store, ORDERS, "early", 10);
        assertThat(log.list).hasSize(1);

        now += 10_000_001;
        for (int i = 0; i < 100; i++) {
            assertThat(acquire(store, ORDERS, "new-" + i, 10).passes()).isTrue();
        }
        assertThat(store.size()).isEqualTo(100);
        assertThat(log.list).hasSize(1);
    }

    @Test
    void unusedCountersOfACallOfSeveralLimitsMakeRoomToo() {
        LocalRateLimitStore store = store(2);
        Stages.await(store.acquire(List.of(Charge.of(ORDERS, "ann", 1), Charge.of(ORDERS, "bob", 1))));
        now += 1_000_000;

        assertThat(acquire(store, ORDERS, "carl", 10).passes()).isTrue();
        assertThat(acquire(store, ORDERS, "dora", 10).passes()).isTrue();
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void lockedCountersStay() {
        LocalRateLimitStore store = store(1);
        Stages.await(store.lock(ORDERS, "ann", Duration.ofSeconds(30)));
        now += 29_999_999;
        acquire(store, ORDERS, "bob", 1);

        assertThat(acquire(store, ORDERS, "ann", 1).passes()).isFalse();
        now += 1;
        acquire(store, ORDERS, "carl", 1);
        assertThat(acquire(store, ORDERS, "ann", 1).passes()).isTrue();
    }

    @Test
    void unusedCountersAreSentAwayBeforeItIsFull() {
        LocalRateLimitStore store = store(1_000_000);
        for (int i = 0; i < 20_000; i++) {
            acquire(store, ORDERS, "key-" + i, 1);
            now += 5_000;
        }

        // 200 are in use at a time
        assertThat(store.size()).isBetween(200, 400);
        assertThat(log.list).isEmpty();
    }

    @Test
    void fewCountersAreLeftAlone() {
        LocalRateLimitStore store = store(1_000_000);
        for (int i = 0; i < 256; i++) {
            acquire(store, ORDERS, "key-" + i, 1);
            now += 100_000_000;
        }
        assertThat(store.size()).isEqualTo(256);

        acquire(store, ORDERS, "one more", 1);
        assertThat(store.size()).isEqualTo(253);
    }

    /** Whatever a key has used of the shared counter it takes along. */
    @ParameterizedTest
    @EnumSource
    void leavingTheSharedCounterIsNoFreshStart(Kind kind) {
        Limit limit =
                kind.named("calls").permits(10).period(Duration.ofSeconds(10)).build();
        LocalRateLimitStore store = store(1);
        fill(store, 1);
        now += 4_000_000;
        for (int i = 0; i < 10; i++) {
            Stages.await(store.acquire(List.of(kind.charge(limit, "ann", 1))));
        }
        assertThat(log.list).hasSize(1);
        assertThat(remaining(store, limit, "ann")).isZero();
        now += 1_000_000;

        // now there is room
        Decision decision = acquire(store, limit, "ann", 2);
        assertThat(decision.passes()).isFalse();
        assertThat(store.size()).isEqualTo(1);
        long left = remaining(store, limit, "ann");
        assertThat(left).isLessThanOrEqualTo(1);
        // the next one finds no room again, and what they share has nothing of this one's
        now += 1;
        Stages.await(store.refund(List.of(Charge.of(limit, "ann", 4))));
        assertThat(remaining(store, limit, "bob")).isEqualTo(left);
        assertThat(remaining(store, limit, "ann")).isGreaterThanOrEqualTo(4);
    }

    @Test
    void leavingAnUnusedSharedCounterIsAFreshStart() {
        LocalRateLimitStore store = store(1);
        fill(store, 1);
        acquire(store, ORDERS, "ann", 10);
        now += 10_000_000;

        assertThat(acquire(store, ORDERS, "bob", 10)).isEqualTo(new Allowed(ORDERS, 0, 10_000_000, 0));
        assertThat(acquire(store, ORDERS, "ann", 10)).isEqualTo(new Allowed(ORDERS, 0, 10_000_000, 0));
        assertThat(acquire(store, ORDERS, "carl", 1).passes()).isFalse();
    }

    @Test
    void sharedCounterTakesBackWhatItGave() {
        LocalRateLimitStore store = store(1);
        fill(store, 1);
        Reservation reservation = Stages.await(store.reserve(List.of(Charge.of(ORDERS, "ann", 10))));
        assertThat(remaining(store, ORDERS, "bob")).isZero();

        assertThat(Stages.await(store.cancel(reservation))).isEqualTo(10);
        acquire(store, ORDERS, "ann", 10);
        Stages.await(store.refund(List.of(Charge.of(ORDERS, "ann", 3))));
        assertThat(remaining(store, ORDERS, "bob")).isEqualTo(3);
        // not one key's to forget
        Stages.await(store.reset(ORDERS, "ann"));
        assertThat(remaining(store, ORDERS, "bob")).isEqualTo(3);
    }

    @Test
    void keysThatShareAreOneChargeInOneCall() {
        LocalRateLimitStore store = store(1);
        fill(store, 1);
        List<Charge> charges = List.of(Charge.of(ORDERS, "ann", 6), Charge.of(ORDERS, "bob", 6));

        Decision decision = Stages.await(store.acquire(charges));
        assertThat(decision).isEqualTo(new Denied(ORDERS, DenialReason.COST_EXCEEDS_CAPACITY, 10, 0, Denied.NEVER));
        assertThat(Stages.await(store.acquire(List.of(charges.get(0), Charge.of(ORDERS, "bob", 4))))
                        .passes())
                .isTrue();
    }

    @Test
    void sendsAwayInTurn() {
        LocalRateLimitStore store = store(70);
        fill(store, 70);
        now += 1_000_000;
        // the last six stay in use, the others become unused at the same time
        for (int i = 64; i < 70; i++) {
            acquire(store, ORDERS, "old-" + i, 5);
        }
        now += 4_000_000;

        for (int i = 0; i < 64; i++) {
            assertThat(acquire(store, ORDERS, "new-" + i, 10).passes()).isTrue();
        }
        assertThat(log.list).isEmpty();
        assertThat(acquire(store, ORDERS, "one too many", 10).passes()).isTrue();
        assertThat(log.list).hasSize(1);
        for (int i = 64; i < 70; i++) {
            assertThat(remaining(store, ORDERS, "old-" + i)).isEqualTo(5);
        }
    }

    @Test
    void looksAtAFewOnly() {
        LocalRateLimitStore store = store(66);
        fill(store, 66);
        now += 1_000_000;
        for (int i = 0; i < 65; i++) {
            acquire(store, ORDERS, "old-" + i, 1);
        }
        now += 4_000_000;

        // the only unused one is the last
        acquire(store, ORDERS, "a", 1);
        assertThat(log.list).hasSize(1);
        assertThat(acquire(store, ORDERS, "b", 10).passes()).isFalse();
        assertThat(remaining(store, ORDERS, "old-65")).isEqualTo(9);
    }

    /** There is room for one counter, and nobody uses it: the newcomers do not send each other away for ever. */
    @Test
    void newcomersOfOneCallDoNotSendEachOtherAway() {
        LocalRateLimitStore store = store(1);
        List<Charge> both = List.of(Charge.of(ORDERS, "ann", 4), Charge.of(ORDERS, "bob", 5));

        assertThat(Stages.await(store.acquire(both)).passes()).isTrue();
        assertThat(remaining(store, ORDERS, "ann")).isEqualTo(6);
        assertThat(remaining(store, ORDERS, "bob")).isEqualTo(5);
    }

    /** The one that is there is unused, and leaves for the newcomer before the call has locked both. */
    @Test
    void counterThatLeavesDuringTheCallIsCountedNevertheless() {
        LocalRateLimitStore store = store(1);
        acquire(store, ORDERS, "ann", 1);
        now += 10_000_000;
        List<Charge> both = List.of(Charge.of(ORDERS, "ann", 4), Charge.of(ORDERS, "bob", 5));

        assertThat(Stages.await(store.acquire(both)).passes()).isTrue();
        assertThat(remaining(store, ORDERS, "ann")).isEqualTo(6);
        assertThat(remaining(store, ORDERS, "bob")).isEqualTo(5);
    }
}
