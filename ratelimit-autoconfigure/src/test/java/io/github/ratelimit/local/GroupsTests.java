/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Usage;
import java.time.Duration;
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
        groups.left(bob);
        assertThat(group.isGone()).isTrue();
        assertThat(groups.find(ORDERS)).isNull();

        Cell newcomer = add(ORDERS, "ann");
        assertThat(newcomer.group).isNotSameAs(group);
        assertThat(groups.own(ORDERS, "ann")).isSameAs(newcomer);
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
        groups.left(java.util.Objects.requireNonNull(groups.own(ORDERS, "ann")));
        groups.askedFor(ORDERS, gone);
        Cell newcomer = add(ORDERS, "ann");

        assertThat(groups.own(ORDERS, "ann")).isSameAs(newcomer);
        groups.askedFor(ORDERS, gone);
        assertThat(groups.find(ORDERS)).isSameAs(newcomer.group);
        groups.askedFor(ORDERS, gone);
        assertThat(groups.shared(ORDERS)).isNull();
    }
}
