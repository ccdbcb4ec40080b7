/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionTests {

    private static final Limit A = Limit.named("a").permits(10).build();
    private static final Limit B = Limit.named("b").permits(10).plan("gold").build();
    private static final Limit SHADOW =
            Limit.named("s").permits(10).shadow(true).build();

    private static Decision together(Decision... parts) {
        return Decision.together(List.of(parts));
    }

    private static Denied denied(Limit limit, long remaining, long resetAfter, long retryAfter) {
        return new Denied(limit, DenialReason.PERMITS_SPENT, remaining, resetAfter, retryAfter);
    }

    @Test
    void oneLimitSpeaksForItself() {
        Allowed allowed = new Allowed(B, 3, 5_000, 7);

        assertThat(together(allowed)).isSameAs(allowed);
        assertThat(allowed.parts()).containsExactly(allowed);
        assertThat(allowed.limit()).isEqualTo("b");
        assertThat(allowed.plan()).isEqualTo("gold");
        assertThat(allowed.passes()).isTrue();
        assertThat(allowed.resetAfter()).isEqualTo(Duration.ofMillis(5));
        assertThat(allowed.delay()).isEqualTo(Duration.ofNanos(7_000));
        Denied denied = denied(A, 0, 2_000_003, 1_000_001);
        assertThat(together(denied)).isSameAs(denied);
        assertThat(denied.parts()).containsExactly(denied);
        assertThat(denied.limit()).isEqualTo("a");
        assertThat(denied.plan()).isNull();
        assertThat(denied.passes()).isFalse();
        assertThat(denied.resetAfter()).isEqualTo(Duration.ofSeconds(2, 3_000));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(1, 1_000));
        assertThat(denied(A, 0, 0, Denied.NEVER).retryAfter()).isNull();
    }

    @Test
    void whatRemainsIsALongThoughKeptAsLess() {
        assertThat(new Allowed(A, 1_000_000_000L, 0, 0))
                .extracting(Allowed::remaining)
                .isEqualTo(1_000_000_000L);
        assertThat(new Allowed(A, 3L, 5, 7, List.of())).isEqualTo(new Allowed(A, 3, 5, 7));
        assertThatThrownBy(() -> new Allowed(A, 1L << 32, 0, 0)).isInstanceOf(ArithmeticException.class);
    }

    /** Most calls of an application are allowed by one limit: this is all they leave behind. */
    @Test
    void anAnswerTakesFortyBytes() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Allowed[] answers = new Allowed[10_000];
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < answers.length; i++) {
            answers[i] = new Allowed(A, i, 0, 0);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(bytes / answers.length).isEqualTo(40);
    }

    @Test
    void allowedTogetherIsTheTightest() {
        Allowed a = new Allowed(A, 3, 9, 1);
        Allowed b = new Allowed(B, 2, 5, 4);

        assertThat(together(a, b)).isEqualTo(new Allowed(B, 2, 9, 4, List.of(a, b)));
        assertThat(together(b, a)).isEqualTo(new Allowed(B, 2, 9, 4, List.of(b, a)));
        assertThat(together(a, b).parts()).containsExactly(a, b);
        assertThat(together(a, b).plan()).isEqualTo("gold");
    }

    @Test
    void ofEquallyTightOnesTheLaterReset() {
        assertThat(together(new Allowed(A, 2, 5, 0), new Allowed(B, 2, 6, 0)).limit())
                .isEqualTo("b");
        assertThat(together(new Allowed(A, 2, 6, 0), new Allowed(B, 2, 5, 0)).limit())
                .isEqualTo("a");
        assertThat(together(new Allowed(B, 2, 5, 0), new Allowed(A, 2, 5, 0)).limit())
                .isEqualTo("b");
    }

    @Test
    void deniedTogetherIsTheLongest() {
        Denied a = denied(A, 3, 9, 4);
        Allowed b = new Allowed(B, 2, 12, 8);

        assertThat(together(a, b)).isEqualTo(new Denied(A, DenialReason.PERMITS_SPENT, 2, 12, 4, List.of(a, b)));
        assertThat(together(b, a).limit()).isEqualTo("a");
    }

    @Test
    void longestRetryDecides() {
        Denied a = denied(A, 0, 1, 4);
        Denied b = new Denied(B, DenialReason.PENALTY, 0, 1, 5);
        Denied never = new Denied(B, DenialReason.COST_EXCEEDS_CAPACITY, 0, 1, Denied.NEVER);

        assertThat(together(a, b)).isEqualTo(new Denied(B, DenialReason.PENALTY, 0, 1, 5, List.of(a, b)));
        assertThat(together(b, a).limit()).isEqualTo("b");
        assertThat(together(a, denied(B, 0, 1, 4)).limit()).isEqualTo("a");
        Denied both = (Denied) together(never, a);
        assertThat(both.retryAfter()).isNull();
        assertThat(both.reason()).isEqualTo(DenialReason.COST_EXCEEDS_CAPACITY);
    }

    @Test
    void shadowHasNoSay() {
        Denied shadow = denied(SHADOW, 0, 100, 100);
        Allowed a = new Allowed(A, 3, 9, 1);

        assertThat(together(shadow, a)).isEqualTo(new Allowed(A, 3, 9, 1, List.of(shadow, a)));
        Allowed watching = new Allowed(SHADOW, 0, 100, 5);
        assertThat(together(a, watching)).isEqualTo(new Allowed(A, 3, 9, 1, List.of(a, watching)));
        Denied denied = denied(A, 1, 2, 3);
        assertThat(together(shadow, denied))
                .isEqualTo(new Denied(A, DenialReason.PERMITS_SPENT, 1, 2, 3, List.of(shadow, denied)));
    }

    @Test
    void shadowAloneLetsPass() {
        Denied shadow = denied(SHADOW, 1, 100, 100);
        Allowed watching = new Allowed(SHADOW, 4, 50, 5);

        assertThat(Decision.isShadowDenial(shadow)).isTrue();
        assertThat(Decision.isShadowDenial(watching)).isFalse();
        assertThat(Decision.isShadowDenial(denied(A, 1, 1, 1))).isFalse();
        assertThat(together(shadow)).isEqualTo(new Allowed(SHADOW, 1, 100, 0, List.of(shadow)));
        assertThat(together(watching, shadow)).isEqualTo(new Allowed(SHADOW, 4, 50, 0, List.of(watching, shadow)));
    }

    @Test
    void uncountedPasses() {
        Uncounted uncounted = new Uncounted("a", null);
        Denied shadow = denied(SHADOW, 1, 100, 100);
        Allowed b = new Allowed(B, 2, 5, 4);

        assertThat(uncounted.passes()).isTrue();
        assertThat(uncounted.parts()).containsExactly(uncounted);
        assertThat(together(uncounted)).isSameAs(uncounted);
        assertThat(together(uncounted, b)).isEqualTo(new Allowed(B, 2, 5, 4, List.of(uncounted, b)));
        assertThat(together(shadow, uncounted)).isEqualTo(new Uncounted("a", null, List.of(shadow, uncounted)));
        assertThat(together(shadow, uncounted).parts()).containsExactly(shadow, uncounted);
    }
}
