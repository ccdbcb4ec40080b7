/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Usage;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class GroupsTests {

    private static final Limit ORDERS = Limit.named("orders").permits(3).build();

    private final Groups groups = new Groups();

    private Cell add(Limit limit, String key) {
        Cell cell = new Cell(groups.enter(limit), key, Usage.unused(limit), false, 1, true);
        cell.group.add(cell);
        return cell;
    }

    @Test
    void ofALimitAndShapeIsOneWhateverTheNumbers() {
        Cell ann = add(ORDERS, "ann");
        Limit more = ORDERS.with().permits(5).burst(9L).build();

        assertThat(groups.own(ORDERS, "ann")).isSameAs(ann);
        assertThat(groups.own(more, "ann")).isSameAs(ann);
        assertThat(groups.enter(more)).isSameAs(ann.group);
        assertThat(groups.own(ORDERS, "bob")).isNull();
    }

    @Test
    void otherNamesAndShapesAreOthers() {
        Limit mails = Limit.named("mails").permits(3).build();
        Limit windows = ORDERS.with().algorithm(Algorithm.FIXED_WINDOW).build();
        Limit hours = windows.with().period(Duration.ofHours(1)).build();
        add(ORDERS, "ann");

        for (Limit other : new Limit[] {mails, windows, hours}) {
            assertThat(groups.find(other)).isNull();
            assertThat(groups.own(other, "ann")).isNull();
            Cell cell = add(other, "ann");
            assertThat(groups.own(other, "ann")).isSameAs(cell);
        }
        assertThat(new Group(windows).isOf(windows)).isTrue();
        assertThat(new Group(windows).isOf(ORDERS)).isFalse();
        assertThat(new Group(ORDERS).isOf(mails)).isFalse();
    }

    /** More limits than are remembered as asked for lately, some of which stand in one place. */
    @Test
    void areFoundHoweverManyThereAre() {
        for (int i = 0; i < 2_000; i++) {
            add(Limit.named("limit-" + i).permits(3).build(), "ann");
        }
        for (int i = 0; i < 2_000; i++) {
            Limit limit = Limit.named("limit-" + i).permits(3).build();
            assertThat(groups.own(limit, "ann"))
                    .isNotNull()
                    .satisfies(cell -> assertThat(cell.group.isOf(limit)).isTrue());
        }
    }

    @Test
    void leavesWithTheLastOfItsCells() {
        Cell ann = add(ORDERS, "ann");
        Cell bob = add(ORDERS, "bob");
        Group group = ann.group;

        groups.left(ann);
        assertThat(groups.own(ORDERS, "ann")).isNull();
        assertThat(groups.find(ORDERS)).isSameAs(group);
        assertThat(group.isGone()).isFalse();
        groups.left(bob);
        assertThat(group.isGone()).isTrue();
        assertThat(groups.find(ORDERS)).isNull();

        Cell newcomer = add(ORDERS, "ann");
        assertThat(newcomer.group).isNotSameAs(group);
        assertThat(groups.own(ORDERS, "ann")).isSameAs(newcomer);
    }

    @Test
    void oneThatLeavesIsNotKeptForHavingBeenAskedForLately() {
        WeakReference<Group> gone = new WeakReference<>(add(ORDERS, "ann").group);
        groups.left(Objects.requireNonNull(groups.own(ORDERS, "ann")));

        await().until(() -> {
            System.gc();
            return gone.get() == null;
        });
    }

    @Test
    void staysAsLongAsKeysShareACell() {
        Cell ann = add(ORDERS, "ann");
        Cell shared = new Cell(ann.group, Limit.EVERYONE, Usage.unused(ORDERS), true, 2, true);
        ann.group.share(shared);
        groups.left(ann);

        assertThat(groups.shared(ORDERS)).isSameAs(shared);
        assertThat(groups.own(ORDERS, Limit.EVERYONE)).isNull();
    }

    /** A thread had found the group shortly before it left, and says only now that it was asked for. */
    @Test
    void oneThatIsGoneIsNotTakenForTheOneThatIsThere() {
        Group gone = add(ORDERS, "ann").group;
        groups.left(Objects.requireNonNull(groups.own(ORDERS, "ann")));
        groups.askedFor(ORDERS, gone);
        Cell newcomer = add(ORDERS, "ann");

        assertThat(groups.own(ORDERS, "ann")).isSameAs(newcomer);
        groups.askedFor(ORDERS, gone);
        assertThat(groups.find(ORDERS)).isSameAs(newcomer.group);
        newcomer.group.share(newcomer);
        groups.askedFor(ORDERS, gone);
        assertThat(groups.shared(ORDERS)).isSameAs(newcomer);
    }

    /** Looked at one by one, these would take two thousand million comparisons. */
    @Test
    void keysChosenToCollideAreFoundQuickly() {
        List<String> keys = List.of("");
        for (int i = 0; i < 16; i++) {
            keys = keys.stream()
                    .flatMap(key -> Stream.of(key + "Aa", key + "BB"))
                    .toList();
        }
        assertThat(keys)
                .hasSize(65_536)
                .extracting(String::hashCode)
                .containsOnly(keys.get(0).hashCode());
        List<String> colliding = keys;

        assertThat(Assertions.<Long>assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                    LocalRateLimitStore store = new LocalRateLimitStore(() -> 0, 100_000);
                    return colliding.stream()
                            .filter(key -> store.acquireBlocking(List.of(Charge.of(ORDERS, key, 1)), late -> {})
                                    .passes())
                            .count();
                }))
                .isEqualTo(65_536);
    }

    /** As many limits as an application may name after its callers: those nobody uses any more leave nothing. */
    @Test
    void namesThatComeAndGoLeaveNothing() {
        AtomicLong clock = new AtomicLong();
        Cells cells = new Cells(clock::get, 10_000, true);
        for (int i = 0; i < 20_000; i++) {
            Limit limit = Limit.named("limit-" + i).permits(3).build();
            Cell cell = cells.enter(limit, "ann");
            cell.lockFor("ann", cells);
            cell.unlock();
        }

        assertThat(cells.size()).isLessThan(400);
        assertThat(cells.groups()).isEqualTo(cells.size());
    }
}
