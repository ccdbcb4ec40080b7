/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.store.Deadlines.Alarm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeadlinesTests {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<String> rung = new ArrayList<>();
    private final Deadlines deadlines = new Deadlines(nanos::get, 10);

    @Test
    void ringsOnceWhenItIsTime() {
        deadlines.set(() -> rung.add("one"));
        nanos.addAndGet(9);
        assertThat(deadlines.ring()).isOne();
        assertThat(rung).isEmpty();
        nanos.addAndGet(1);
        assertThat(deadlines.ring()).isEqualTo(Deadlines.NONE);
        deadlines.ring();
        assertThat(rung).containsExactly("one");
    }

    @Test
    void eitherRingsOrIsSilencedInTime() {
        Alarm silenced = deadlines.set(() -> rung.add("silenced"));
        Alarm late = deadlines.set(() -> rung.add("late"));
        assertThat(silenced.off()).isTrue();
        assertThat(silenced.off()).isFalse();
        nanos.addAndGet(10);
        deadlines.ring();
        assertThat(late.off()).isFalse();
        assertThat(rung).containsExactly("late");
    }

    @Test
    void keepsNothingThatIsSilentButWhatStandsBehindOthers() {
        Alarm first = deadlines.set(() -> rung.add("first"));
        Alarm second = deadlines.set(() -> rung.add("second"));
        second.off();
        assertThat(deadlines.isEmpty()).isFalse();
        first.off();
        assertThat(deadlines.isEmpty()).isTrue();
    }

    @Test
    void ringsAtOnceOnceClosed() {
        Alarm before = deadlines.set(() -> rung.add("before"));
        deadlines.close();
        assertThat(rung).containsExactly("before");
        deadlines.set(() -> rung.add("after"));
        assertThat(rung).containsExactly("before", "after");
        assertThat(before.off()).isFalse();
    }
}
