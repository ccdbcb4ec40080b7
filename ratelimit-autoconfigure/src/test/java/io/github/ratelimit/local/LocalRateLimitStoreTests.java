/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LocalRateLimitStoreTests {

    private static final long HOUR = 3_600_000_000L;

    private static final Limit ORDERS = limit("orders", 3);
    private static final Limit MAILS = limit("mails", 5);
    private static final Limit WINDOW = Kind.FIXED_WINDOW
            .named("window")
            .permits(2)
            .period(Duration.ofSeconds(3))
            .build();

    private long now = 1_800_000_000_000_000L;
    private final LocalRateLimitStore store = new LocalRateLimitStore(() -> now, 1_000);

    private static Limit limit(String name, long permits) {
        return Limit.named(name)
                .permits(permits)
                .period(Duration.ofSeconds(permits))
                .build();
    }

    private Decision acquire(Charge... charges) {
        return Stages.await(store.acquire(List.of(charges)));
    }

    private Decision peek(Charge... charges) {
        return Stages.await(store.peek(List.of(charges)));
    }

    private Reservation reserve(Charge... charges) {
        return Stages.await(store.reserve(List.of(charges)));
    }

    private long cancel(Reservation reservation) {
        return Stages.await(store.cancel(reservation));
    }

    private Decision refund(Charge... charges) {
        return Stages.await(store.refund(List.of(charges)));
    }

    private PartialGrant acquireUpTo(Charge charge) {
        return Stages.await(store.acquireUpTo(charge));
    }

    private long remaining(Limit limit, String key) {
        return ((Allowed) peek(Charge.of(limit, key, 0))).remaining();
    }

    private static Charge of(Limit limit, long cost) {
        return Charge.of(limit, "ann", cost);
    }

    @Test
    void answersAtOnce() {
        assertThat(store.acquire(List.of(of(ORDERS, 1))).toCompletableFuture()).isDone();
        assertThat(store.reset(ORDERS, "ann").toCompletableFuture()).isDone();
        assertThat(store.lock(ORDERS, "ann", Duration.ofSeconds(1)).toCompletableFuture())
                .isDone();
    }

    @Test
    void decidesOne() {
        assertThat(acquire(of(ORDERS, 2))).isEqualTo(new Allowed(ORDERS, 1, 2_000_000, 0));
        assertThat(acquire(of(ORDERS, 2)))
                .isEqualTo(new Denied(ORDERS, DenialReason.PERMITS_SPENT, 1, 2_000_000, 1_000_000));
        assertThat(acquire(of(ORDERS, 2).waiting(1_000_000))).isEqualTo(new Allowed(ORDERS, 0, 4_000_000, 1_000_000));
    }

    @Test
    void peekCountsNothing() {
        assertThat(peek(of(ORDERS, 2))).isEqualTo(new Allowed(ORDERS, 1, 2_000_000, 0));
        assertThat(peek(of(ORDERS, 2), of(MAILS, 1))).isInstanceOf(Allowed.class);
        assertThat(store.size()).isZero();
        acquire(of(ORDERS, 2));
        assertThat(peek(of(ORDERS, 1)).passes()).isTrue();
        assertThat(peek(of(ORDERS, 1), of(MAILS, 1)).passes()).isTrue();
        assertThat(peek(of(ORDERS, 2)).passes()).isFalse();
        assertThat(remaining(ORDERS, "ann")).isEqualTo(1);
    }

    @Test
    void nothingNeedsNoCounter() {
        assertThat(acquire(of(ORDERS, 0))).isEqualTo(new Allowed(ORDERS, 3, 0, 0));
        assertThat(refund(of(ORDERS, 2))).isEqualTo(new Allowed(ORDERS, 3, 0, 0));
        assertThat(acquireUpTo(of(ORDERS, 0))).isEqualTo(new PartialGrant(0, new Allowed(ORDERS, 3, 0, 0)));
        Stages.await(store.lock(ORDERS, "ann", Duration.ZERO));
        Stages.await(store.reset(ORDERS, "ann"));

        assertThat(store.size()).isZero();
    }

    @Test
    void keysLimitsAndShapesDoNotTouchEachOther() {
        Limit interval = Kind.TOKEN_BUCKET_INTERVAL
                .named("orders")
                .permits(3)
                .period(Duration.ofSeconds(3))
                .build();
        acquire(of(ORDERS, 3));

        assertThat(remaining(ORDERS, "ann")).isZero();
        assertThat(remaining(ORDERS, "bob")).isEqualTo(3);
        assertThat(remaining(ORDERS, "")).isEqualTo(3);
        assertThat(remaining(limit("other", 3), "ann")).isEqualTo(3);
        assertThat(remaining(interval, "ann")).isEqualTo(3);
        acquire(of(interval, 1));
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void chargesAllOrNone() {
        Decision granted = acquire(of(ORDERS, 2), of(MAILS, 1));
        Decision denied = acquire(of(MAILS, 1), of(ORDERS, 2));

        assertThat(granted).isInstanceOf(Allowed.class);
        assertThat(granted.parts())
                .containsExactly(new Allowed(ORDERS, 1, 2_000_000, 0), new Allowed(MAILS, 4, 1_000_000, 0));
        assertThat(denied).isInstanceOf(Denied.class);
        assertThat(denied.limit()).isEqualTo("orders");
        assertThat(denied.parts())
                .containsExactly(
                        new Allowed(MAILS, 4, 1_000_000, 0),
                        new Denied(ORDERS, DenialReason.PERMITS_SPENT, 1, 2_000_000, 1_000_000));
        assertThat(remaining(MAILS, "ann")).isEqualTo(4);
        assertThat(remaining(ORDERS, "ann")).isEqualTo(1);
    }

    @Test
    void sameCounterTwiceIsOneChargeOfTheSum() {
        Decision decision = acquire(of(ORDERS, 2), of(MAILS, 1), of(ORDERS, 1));

        assertThat(decision.parts())
                .containsExactly(new Allowed(ORDERS, 0, 3_000_000, 0), new Allowed(MAILS, 4, 1_000_000, 0));
        assertThat(acquire(of(MAILS, 3), of(MAILS, 2)).passes()).isFalse();
        assertThat(acquire(of(MAILS, Long.MAX_VALUE), of(MAILS, 1)))
                .extracting(denied -> ((Denied) denied).reason())
                .isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
        assertThat(peek(Charge.of(MAILS, "new", 3), Charge.of(MAILS, "new", 3)).passes())
                .isFalse();
        assertThat(refund(of(ORDERS, 1), of(ORDERS, 1)).parts()).containsExactly(new Allowed(ORDERS, 2, 1_000_000, 0));
    }

    @Test
    void nothingTwiceIsNothing() {
        assertThat(acquire(of(ORDERS, 0), of(ORDERS, 0)).parts()).containsExactly(new Allowed(ORDERS, 3, 0, 0));
    }

    @Test
    void sameCounterTwiceIsAsPatientAsTheLessPatient() {
        acquire(of(ORDERS, 3));
        Charge patient = of(ORDERS, 1).waiting(HOUR);

        assertThat(acquire(patient, of(ORDERS, 1).waiting(1_999_999)).passes()).isFalse();
        assertThat(acquire(of(ORDERS, 1).waiting(2_000_000), patient))
                .isEqualTo(new Allowed(ORDERS, 0, 5_000_000, 2_000_000));
    }

    @Test
    void shadowLimitHasNoSay() {
        Limit shadow = MAILS.with().shadow(true).permits(1).burst(null).build();
        assertThat(acquire(of(shadow, 1))).isEqualTo(new Allowed(shadow, 0, 5_000_000, 0));

        Decision alone = acquire(of(shadow, 1));
        assertThat(alone).isInstanceOf(Allowed.class);
        assertThat(alone.parts()).singleElement().isInstanceOf(Denied.class);
        assertThat(peek(of(shadow, 1)).parts()).singleElement().isInstanceOf(Denied.class);
        assertThat(acquire(of(shadow, 1), of(ORDERS, 2)).passes()).isTrue();
        assertThat(remaining(ORDERS, "ann")).isEqualTo(1);
        assertThat(acquire(Charge.of(shadow, "bob", 1), of(ORDERS, 2)).passes()).isFalse();
        assertThat(remaining(shadow, "bob")).isEqualTo(1);
        assertThat(acquireUpTo(of(shadow, 1)).granted()).isZero();
        assertThat(acquireUpTo(of(shadow, 1)).decision().passes()).isTrue();
    }

    @Test
    void everyLimitThatDeniesStartsItsPenalty() {
        Limit strict = ORDERS.with().penalty(Duration.ofSeconds(60)).build();
        Limit other = MAILS.with().penalty(Duration.ofSeconds(60)).build();
        acquire(of(strict, 3));

        assertThat(acquire(of(other, 1), of(strict, 1)).passes()).isFalse();
        assertThat(((Denied) peek(of(strict, 1))).reason()).isEqualTo(DenialReason.PENALTY);
        assertThat(peek(of(other, 1)).passes()).isTrue();
        peek(of(strict, 1), of(other, 5));
        now += 60_000_000;
        assertThat(peek(of(strict, 1)).passes()).isTrue();
    }

    @Test
    void reservesAndCancels() {
        acquire(of(ORDERS, 3));
        Reservation reservation = reserve(of(ORDERS, 1).waiting(HOUR), of(MAILS, 2), of(MAILS, 0));

        assertThat(reservation.decision()).isInstanceOf(Allowed.class);
        assertThat(((Allowed) reservation.decision()).delayMicros()).isEqualTo(1_000_000);
        assertThat(reservation.holds())
                .containsExactly(
                        new Reservation.Hold(of(ORDERS, 1).waiting(HOUR), now + 1_000_000, 0),
                        new Reservation.Hold(of(MAILS, 2), now, 0, new Reservation.Lent(now + 2_000_000, 0, false)));
        assertThat(cancel(reservation)).isEqualTo(3);
        assertThat(remaining(ORDERS, "ann")).isZero();
        assertThat(remaining(MAILS, "ann")).isEqualTo(5);
    }

    @Test
    void deniedReservationHoldsNothing() {
        acquire(of(ORDERS, 3));
        Reservation denied = reserve(of(MAILS, 1), of(ORDERS, 1));

        assertThat(denied.decision().passes()).isFalse();
        assertThat(denied.holds()).isEmpty();
        assertThat(cancel(denied)).isZero();
        assertThat(reserve(of(ORDERS, 0)).holds()).isEmpty();
        Limit shadow = MAILS.with().shadow(true).build();
        assertThat(reserve(of(shadow, 6), Charge.of(ORDERS, "bob", 1)).holds()).hasSize(1);
    }

    @Test
    void cancelOfAWindowIsARefund() {
        Reservation reservation = reserve(of(WINDOW, 2));

        assertThat(cancel(reservation)).isEqualTo(2);
        assertThat(remaining(WINDOW, "ann")).isEqualTo(2);
    }

    @Test
    void acquiresWhatThereIs() {
        assertThat(acquireUpTo(of(ORDERS, 2))).isEqualTo(new PartialGrant(2, new Allowed(ORDERS, 1, 2_000_000, 0)));
        assertThat(acquireUpTo(of(ORDERS, 20))).isEqualTo(new PartialGrant(1, new Allowed(ORDERS, 0, 3_000_000, 0)));
        assertThat(acquireUpTo(of(ORDERS, 20).waiting(HOUR)))
                .isEqualTo(
                        new PartialGrant(0, new Denied(ORDERS, DenialReason.PERMITS_SPENT, 0, 3_000_000, 1_000_000)));
        assertThat(acquireUpTo(of(ORDERS, 0))).isEqualTo(new PartialGrant(0, new Allowed(ORDERS, 0, 3_000_000, 0)));
    }

    @Test
    void acquiringNothingOfSomethingStartsAPenalty() {
        Limit strict = ORDERS.with().penalty(Duration.ofSeconds(60)).build();
        acquireUpTo(of(strict, 3));

        assertThat(acquireUpTo(of(strict, 3)).decision())
                .isEqualTo(new Denied(strict, DenialReason.PENALTY, 0, 60_000_000, 60_000_000));
        now += 59_000_000;
        assertThat(acquireUpTo(of(strict, 3)).granted()).isZero();
    }

    @Test
    void refundsInOneCall() {
        acquire(of(ORDERS, 3), of(MAILS, 3));

        assertThat(refund(of(ORDERS, 1), of(MAILS, 2)).parts())
                .containsExactly(new Allowed(ORDERS, 1, 2_000_000, 0), new Allowed(MAILS, 4, 1_000_000, 0));
    }

    @Test
    void resetForgetsCounterAndLock() {
        acquire(of(ORDERS, 3));
        Stages.await(store.lock(ORDERS, "ann", Duration.ofHours(1)));
        Stages.await(store.reset(ORDERS, "ann"));

        assertThat(acquire(of(ORDERS, 3)).passes()).isTrue();
    }

    @Test
    void locksRoundedUp() {
        Stages.await(store.lock(ORDERS, "ann", Duration.ofNanos(1_001)));
        assertThat(((Denied) peek(of(ORDERS, 1))).retryAfterMicros()).isEqualTo(2);
        Stages.await(store.lock(ORDERS, "ann", Duration.ofNanos(3_000)));
        assertThat(((Denied) peek(of(ORDERS, 1))).retryAfterMicros()).isEqualTo(3);
        Stages.await(store.lock(ORDERS, "ann", Duration.ofDays(31)));
        assertThat(((Denied) peek(of(ORDERS, 1))).retryAfterMicros()).isEqualTo(31 * 24 * HOUR);
    }

    @Test
    void refusesOtherLocks() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.lock(ORDERS, "ann", Duration.ofNanos(-1)))
                .withMessage("Limit 'orders': a lock of PT-0.000000001S is not accepted. It lasts from 0 to 31 days.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.lock(ORDERS, "ann", Duration.ofDays(31).plusNanos(1)))
                .withMessageContaining("from 0 to 31 days");
    }

    @Test
    void refusesACallWithoutCharges() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.acquire(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> store.reserve(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> store.peek(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.refund(List.of()))
                .withMessage("A call without charges has no decision.");
    }

    @Test
    void refusesToKeepNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LocalRateLimitStore(0))
                .withMessage("max-keys = 0 keeps no counter. Use 1 or more.");
        assertThat(new LocalRateLimitStore(1).size()).isZero();
    }

    @Test
    void tellsOfHealings() {
        AtomicInteger healings = new AtomicInteger();
        store.onHealing(healings::incrementAndGet);
        acquire(of(ORDERS, 3));
        Reservation reservation = reserve(of(WINDOW, 1), of(MAILS, 1));
        assertThat(healings).hasValue(0);

        now -= 2 * HOUR;
        assertThat(cancel(reservation)).isZero();
        assertThat(healings).hasValue(2);
        assertThat(acquire(of(ORDERS, 1)).passes()).isTrue();
        assertThat(healings).hasValue(3);
        assertThat(acquire(of(ORDERS, 1)).passes()).isTrue();
        assertThat(healings).hasValue(3);
        peek(of(MAILS, 1));
        peek(of(MAILS, 1));
        assertThat(healings).hasValue(5);
    }

    @Test
    void countsOnTheSystemClock() {
        LocalRateLimitStore own = new LocalRateLimitStore(10);
        Limit slow = ORDERS.with().permits(1).period(Duration.ofDays(31)).build();

        assertThat(Stages.await(own.acquire(List.of(of(slow, 1)))).passes()).isTrue();
        assertThat(Stages.await(own.acquire(List.of(of(slow, 1)))).passes()).isFalse();
    }
}
