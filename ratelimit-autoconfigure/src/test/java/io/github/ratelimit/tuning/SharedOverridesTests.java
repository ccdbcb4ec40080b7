/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.tuning.Overrides.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Overrides that all instances share, over notes that the test keeps. */
@ExtendWith(OutputCaptureExtension.class)
class SharedOverridesTests {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long NEVER = Duration.ofHours(1).toMillis();
    private static final Target ORDERS = new Target("orders", null);
    private static final Target GOLD = new Target("orders", "gold");

    private final LimitCatalog catalog = new LimitCatalog(tuning(Algorithm.TOKEN_BUCKET, 10), (limit, key) -> null);
    private final Notes notes = new Notes();
    private final SharedOverrides overrides = new SharedOverrides(catalog, notes, NEVER);

    @BeforeEach
    void check() {
        catalog.check();
    }

    @AfterEach
    void close() {
        notes.answers.countDown();
        overrides.close();
    }

    @Test
    void delayNoStartWhereNobodyAnswersAndHoldOnceSomebodyDoes() {
        notes.answers = new CountDownLatch(1);
        notes.kept.put("orders", "permits=7");
        assertTimeoutPreemptively(SOON, () -> overrides.start(Duration.ZERO));
        assertThat(permits()).isEqualTo(10);

        notes.answers.countDown();
        Eventually.until("the override holds", SOON, () -> permits() == 7);
    }

    @Test
    void holdAsSoonAsAChangeIsHeardOf() {
        overrides.start(SOON);
        notes.kept.put("orders", "permits=7");
        notes.heard.run();

        Eventually.until("the override holds", SOON, () -> permits() == 7);
    }

    @Test
    void areWaitedForAnewAfterAPause() {
        overrides.start(SOON);
        overrides.close();
        notes.kept.put("orders", "permits=7");
        notes.answers = new CountDownLatch(1);
        new Thread(() -> {
                    Eventually.until("asked", SOON, () -> notes.asked.get() == 2);
                    notes.answers.countDown();
                })
                .start();

        overrides.start(SOON.multipliedBy(6));
        assertThat(permits()).isEqualTo(7);
    }

    @Test
    void areRemovedThoughChangedPropertiesWereInvalid() {
        overrides.put(ORDERS, permits(5));
        assertThatExceptionOfType(InvalidLimitException.class)
                .isThrownBy(() -> catalog.refresh(tuning(Algorithm.TOKEN_BUCKET, 0)));

        overrides.remove("orders", null);
        assertThat(permits()).isEqualTo(10);
        assertThat(notes.kept).isEmpty();
    }

    @Test
    void holdAgainOnceTheLimitCanWorkWithThem(CapturedOutput output) {
        overrides.put(ORDERS, new Numbers(null, null, 3L));
        catalog.refresh(tuning(Algorithm.FIXED_WINDOW, 10));
        overrides.look();
        overrides.look();
        assertThat(catalog.definitions().overrides()).isEqualTo(Overrides.NONE);
        assertThat(notes.kept).containsOnlyKeys("orders");

        catalog.refresh(tuning(Algorithm.TOKEN_BUCKET, 10));
        overrides.look();
        assertThat(catalog.base("orders").limit().burst()).isEqualTo(3);
        assertThat(output.getOut().split("An override is ignored", -1)).hasSize(2);
    }

    @Test
    void holdBesideThoseThatTheLimitCannotWorkWith(CapturedOutput output) {
        notes.kept.put("orders/gold", "permits=0");
        overrides.put(ORDERS, permits(7));
        overrides.look();
        overrides.look();
        assertThat(permits()).isEqualTo(7);
        assertThat(catalog.numbersFor("orders", "gold", "acme").permits()).isEqualTo(999_999_999);

        notes.kept.put("orders", "burst=0");
        overrides.put(GOLD, permits(8));
        overrides.look();
        assertThat(permits()).isEqualTo(10);
        assertThat(catalog.numbersFor("orders", "gold", "acme").permits()).isEqualTo(8);
        assertThat(output.getOut())
                .containsOnlyOnce("An override of plan 'gold' is ignored: Limit 'orders': permits = 0")
                .containsOnlyOnce("An override is ignored: Limit 'orders': burst = 0")
                .contains("Overrides in force: {orders/gold=permits=8}");
    }

    /** As two instances may set them at the same moment, each of which knows one of them. */
    @Test
    void holdAsFarAsTheLimitCanWorkWithThemTogether() {
        notes.kept.put("orders/gold", "permits=999999999");
        notes.kept.put("orders", "period=2678400000");
        overrides.look();
        assertThat(permits()).isEqualTo(10);
        assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofSeconds(1));

        notes.kept.put("orders/gold", "permits=7");
        notes.kept.put("orders/silver", "permits=0");
        overrides.look();
        assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofDays(31));
        assertThat(catalog.numbersFor("orders", "gold", "acme").permits()).isEqualTo(7);
        assertThat(catalog.numbersFor("orders", "silver", "acme").permits()).isEqualTo(20);
    }

    /** The plan's own permits are too many for the long period that the limit's override states. */
    @Test
    void areNotForgottenWhereTheRestCannotWorkWithoutThem() {
        overrides.put(GOLD, permits(7));
        overrides.put(ORDERS, new Numbers(null, Duration.ofDays(31), null));

        assertThatExceptionOfType(InvalidLimitException.class).isThrownBy(() -> overrides.remove("orders", "gold"));
        assertThat(notes.kept).containsOnlyKeys("orders", "orders/gold");
        assertThat(catalog.numbersFor("orders", "gold", "acme").permits()).isEqualTo(7);
    }

    private long permits() {
        return catalog.base("orders").limit().permits();
    }

    private static Numbers permits(long permits) {
        return new Numbers(permits, null, null);
    }

    private static Tuning tuning(Algorithm algorithm, long permits) {
        Map<String, Numbers> plans = algorithm == Algorithm.TOKEN_BUCKET
                ? Map.of("gold", permits(999_999_999), "silver", permits(20))
                : Map.of();
        return Tuning.of(Map.of(
                "orders",
                new LimitSettings(
                        algorithm,
                        permits,
                        Duration.ofSeconds(1),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        plans,
                        Map.of())));
    }

    /** Notes in this JVM, which answer when the test lets them. */
    private static final class Notes implements SharedNotes {

        final Map<String, String> kept = new ConcurrentHashMap<>();
        volatile CountDownLatch answers = new CountDownLatch(0);
        volatile Runnable heard = () -> {};
        final AtomicInteger asked = new AtomicInteger();

        @Override
        public Map<String, String> read() {
            asked.incrementAndGet();
            try {
                answers.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return Map.copyOf(kept);
        }

        @Override
        public void write(String name, String text) {
            kept.put(name, text);
        }

        @Override
        public void remove(Set<String> names) {
            kept.keySet().removeAll(names);
        }

        @Override
        public void onChange(Runnable listener) {
            heard = listener;
        }

        @Override
        public void close() {}
    }
}
