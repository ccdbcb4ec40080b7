/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import static io.github.ratelimit.limiter.Hall.bucket;
import static io.github.ratelimit.limiter.Hall.one;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitStoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What listeners and the store may do wrong without harming the call, or with an error that says so. */
@ExtendWith(OutputCaptureExtension.class)
class FailureTests {

    private static final List<Ask> A = List.of(one("a", "k"));

    private final Hall hall = new Hall();

    @AfterEach
    void close() {
        hall.close();
    }

    @Test
    void aListenersFailureIsLoggedOncePerClassAndSwallowed(CapturedOutput output) {
        hall.with(bucket("a", 5, ofMinutes(1)));
        hall.listeners.add(0, new Broken());
        hall.listeners.add(1, new Broken());
        hall.listeners.add(2, decision -> {
            throw new AssertionError("broken too");
        });

        hall.door().acquireBlocking(A, null);
        hall.door().acquireBlocking(A, null);

        assertThat(hall.heard.decisions).hasSize(2).allMatch(Allowed.class::isInstance);
        assertThat(output.getAll().split("broken on purpose", -1)).hasSize(2);
        assertThat(output).contains(Broken.class.getName()).contains("broken too");
    }

    @Test
    void badInputIsThrownAtOnce() {
        hall.with(bucket("a", 5, ofMinutes(1)));
        List<Ask> negative = List.of(new Ask("a", null, "k", -1));

        assertThatThrownBy(() -> hall.door().acquireBlocking(negative, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cost = -1");
        assertThatThrownBy(() -> hall.door().acquire(negative, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cost = -1");
    }

    @Test
    void aStoreThatCannotAnswerFailsTheCallWithItsOwnError() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        RateLimitStoreException away = new RateLimitStoreException("away", null);
        try (RemoteStore remote = new RemoteStore(hall.counters).failing(away)) {
            hall.over(store -> remote);

            for (Duration maxWait : List.of(ZERO, ofMinutes(1))) {
                assertThatThrownBy(() -> hall.door().acquireBlocking(A, maxWait))
                        .isSameAs(away);
                assertThatThrownBy(() -> hall.door().acquire(A, maxWait).join()).hasCause(away);
            }
            assertThat(hall.heard.decisions).isEmpty();
        }
    }

    @Test
    void aFailureToGiveBackIsNobodysProblem() {
        hall.with(bucket("a", 1, ofMinutes(1)));
        hall.take("a", "k", 1);
        try (RemoteStore remote = new RemoteStore(hall.counters)) {
            hall.over(store -> remote);
            CompletableFuture<Decision> pending = hall.door().acquire(A, ofMinutes(1));
            hall.awaitWaiting(1);
            remote.failing(new RateLimitStoreException("away", null));

            assertThat(pending.cancel(true)).isTrue();
            hall.awaitWaiting(0);
        }
    }

    private static final class Broken implements RateLimitListener {

        @Override
        public void onDecision(Decision decision) {
            throw new IllegalStateException("broken on purpose");
        }
    }
}
