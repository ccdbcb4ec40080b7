/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CellTests {

    private static final Limit ORDERS = Limit.named("orders").permits(3).build();
    private static final String ANN = "ann";
    private static final String BOB = "bob";

    private final Cells cells = new Cells(() -> 0, 1, true);

    private static <T> T inAnotherThread(Supplier<T> work) throws Exception {
        return CompletableFuture.supplyAsync(work).get(30, TimeUnit.SECONDS);
    }

    private static void charge(Cell cell) {
        cell.usage.look(ORDERS, 0);
        cell.usage.charge(1, 0);
        cell.usage.keep();
    }

    @Test
    void newcomerStaysUntilItHasBeenLocked() {
        Cell cell = cells.enter(ORDERS, ANN);
        assertThat(cell.leaveIfUnused(0)).isFalse();

        assertThat(cell.lockFor(ANN, cells)).isTrue();
        assertThat(cell.isHeldByCurrentThread()).isTrue();
        cell.unlock();
        assertThat(cell.leaveIfUnused(0)).isTrue();
        assertThat(cell.isLocked()).isFalse();
    }

    @Test
    void cellThatHasLeftIsNotLocked() {
        Cell cell = cells.enter(ORDERS, ANN);
        cell.lockFor(ANN, cells);
        cell.unlock();
        cell.leaveIfUnused(0);

        assertThat(cell.lockFor(ANN, cells)).isFalse();
        assertThat(cell.isLocked()).isFalse();
    }

    @Test
    void cellThatSomebodyWorksWithStays() throws Exception {
        Cell cell = cells.enter(ORDERS, ANN);
        cell.lockFor(ANN, cells);

        assertThat(inAnotherThread(() -> cell.leaveIfUnused(0))).isFalse();
        assertThat(cell.gone).isFalse();
    }

    @Test
    void sharedCellIsNotForAKeyWithItsOwn() {
        cells.enter(ORDERS, ANN);
        Cell shared = cells.enter(ORDERS, BOB);

        assertThat(shared.shared).isTrue();
        assertThat(shared.lockFor(BOB, cells)).isTrue();
        assertThat(shared.lockFor(ANN, cells)).isFalse();
        assertThat(shared.getHoldCount()).isEqualTo(1);
    }

    @Test
    void isLeftOpenByWhoUnlocksAndClosedByWhoLocks() throws Exception {
        Charge one = Charge.of(ORDERS, ANN, 1);
        Cell cell = cells.enter(ORDERS, ANN);
        assertThat(cell.decideOpen(one, () -> 0)).isNull();
        cell.lockFor(ANN, cells);
        charge(cell);
        assertThat(cell.isOpen()).isFalse();
        cell.unlock();

        assertThat(cell.isOpen()).isTrue();
        assertThat(cell.decideOpen(one.waiting(1), () -> 0)).isNull();
        assertThat(cell.decideOpen(one, () -> 0)).isInstanceOf(Allowed.class);

        assertThat(cell.lockFor(ANN, cells)).isTrue();
        assertThat(cell.isOpen()).isFalse();
        assertThat(inAnotherThread(() -> cell.decideOpen(one, () -> 0) == null)).isTrue();
        cell.usage.look(ORDERS, 0);
        assertThat(cell.usage.grantable(3)).isOne();
        assertThat(cell.lockFor(ANN, cells)).as("once more").isTrue();
        cell.unlock();
        assertThat(cell.isOpen()).as("still locked").isFalse();
        cell.unlock();
        assertThat(cell.isOpen()).isTrue();
    }

    /** Who guesses that it will be denied reads the clock once for that, anybody else twice. */
    @Test
    void guessesThatTheNextCallIsDeniedAsTheLastOneWas() {
        Cell cell = cells.enter(ORDERS, ANN);
        cell.lockFor(ANN, cells);
        charge(cell);
        cell.unlock();
        AtomicInteger readings = new AtomicInteger();
        LongSupplier clock = () -> {
            readings.incrementAndGet();
            return 0;
        };

        List<Integer> costs = List.of(3, 3, 3, 1, 3, 3);
        assertThat(costs)
                .extracting(cost -> {
                    readings.set(0);
                    Decision decision = cell.decideOpen(Charge.of(ORDERS, ANN, cost), clock);
                    return (decision instanceof Allowed ? "granted " : "denied ") + readings;
                })
                .containsExactly("denied 2", "denied 1", "denied 1", "granted 1", "denied 2", "denied 1");
    }

    @Test
    void isNotOpenWhereOneNumberDoesNotTell() {
        Cell cell = cells.enter(ORDERS, ANN);
        cell.lockFor(ANN, cells);
        charge(cell);
        cell.unlock();
        cell.lockFor(ANN, cells);
        cell.usage.look(ORDERS, 0);
        cell.usage.lockFor(1_000);
        cell.usage.keep();
        cell.unlock();

        assertThat(cell.isOpen()).isFalse();
        assertThat(cell.decideOpen(Charge.of(ORDERS, ANN, 1), () -> 0)).isNull();
    }

    @Test
    void isNeverOpenWhereATestWantsTheLock() {
        Cells locked = new Cells(() -> 0, 1, false);
        Cell cell = locked.enter(ORDERS, ANN);
        cell.lockFor(ANN, locked);
        charge(cell);
        cell.unlock();

        assertThat(cell.isOpen()).isFalse();
    }

    @Test
    void whoCountsTogetherOrHasLeftIsNeverOpen() {
        Cell ann = cells.enter(ORDERS, ANN);
        ann.lockFor(ANN, cells);
        charge(ann);
        ann.unlock();
        assertThat(ann.isOpen()).isTrue();

        Cell shared = cells.enter(ORDERS, BOB);
        shared.lockFor(BOB, cells);
        charge(shared);
        shared.unlock();
        assertThat(shared.isOpen()).isFalse();

        assertThat(ann.leaveIfUnused(20_000_000)).isTrue();
        assertThat(ann.isOpen()).isFalse();
    }

    @Test
    void callUnlocksWhatHasLeftMeanwhile() {
        LocalRateLimitStore store = new LocalRateLimitStore(() -> 0, 1);
        Cell ann = cells.enter(ORDERS, ANN);
        ann.lockFor(ANN, cells);
        ann.unlock();

        List<Charge> charges = List.of(Charge.of(ORDERS, "ann", 1), Charge.of(ORDERS, "bob", 1));
        try (Call call = Call.lock(store, cells, charges, true)) {
            assertThat(call.decide(true).decision().passes()).isTrue();
        }

        assertThat(ann.gone).isTrue();
        assertThat(ann.isLocked()).isFalse();
        assertThat(cells.find(ORDERS, BOB))
                .isNotNull()
                .extracting(Cell::isLocked)
                .isEqualTo(false);
    }

    @Test
    void everyOperationUnlocks() throws Exception {
        LocalRateLimitStore store = new LocalRateLimitStore(() -> 0, 10);
        Charge charge = Charge.of(ORDERS, "ann", 1);
        Stages.await(store.acquire(List.of(charge)));
        Stages.await(store.cancel(Stages.await(store.reserve(List.of(charge)))));
        Stages.await(store.refund(List.of(charge)));
        Stages.await(store.acquireUpTo(charge));
        Stages.await(store.lock(ORDERS, "ann", Duration.ofSeconds(1)));
        Stages.await(store.reset(ORDERS, "ann"));

        assertThat(inAnotherThread(
                        () -> Stages.await(store.acquire(List.of(charge))).passes()))
                .isTrue();
    }
}
