/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.tuning.Overrides.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Limits that follow the load, at loads that the test says. */
@ExtendWith(OutputCaptureExtension.class)
class AdaptiveLimitsTests {

    private static final Adaptive FROM_50 = new Adaptive(50L, 0.8, 0.5);

    private final LimitCatalog catalog = catalog(settings(600, 60L, FROM_50, Map.of()));
    private double load;
    private final AdaptiveLimits limits = new AdaptiveLimits(catalog, () -> load);

    @Test
    void halvesAboveTheHighMarkAndNotBelowTheMinimum() {
        assertThat(permitsAt(0.81, 5)).containsExactly(300L, 150L, 70L, 50L, 50L);
    }

    @Test
    void climbsBackInStepsBelowTheLowMark() {
        permitsAt(0.9, 1);

        assertThat(permitsAt(0.49, 6)).containsExactly(360L, 420L, 480L, 540L, 600L, 600L);
    }

    @Test
    void staysBetweenTheMarks() {
        assertThat(permitsAt(0.8, 1)).containsExactly(600L);
        permitsAt(0.9, 1);

        assertThat(permitsAt(0.8, 2)).containsExactly(300L, 300L);
        assertThat(permitsAt(0.5, 2)).containsExactly(300L, 300L);
    }

    @Test
    void judgesTheMeanOfSeveralReadingsAndLeavesOutThoseThatAreNone() {
        for (double reading : new double[] {1.0, 0.6, -1, Double.NaN, 0.7}) {
            load = reading;
            limits.read();
        }
        assertThat(permits(null)).isEqualTo(600);

        permitsAt(1.0, 1);
        assertThat(permits(null)).isEqualTo(300);
    }

    @Test
    void changesNothingWhereTheLoadIsNotKnownAndSaysSoOnce(CapturedOutput output) {
        assertThat(permitsAt(-1, 2)).containsExactly(600L, 600L);

        assertThat(output.getOut().split("The load of the CPU is not known here", -1))
                .hasSize(2);
    }

    @Test
    void keepsTheProportionOfPermitsAndBurst() {
        permitsAt(0.9, 3);

        assertThat(catalog.base("orders").limit().permits()).isEqualTo(70);
        assertThat(catalog.base("orders").limit().burst()).isEqualTo(7);
        assertThat(catalog.base("orders").limit().period()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void shrinksPlansInTheSameProportion() {
        LimitCatalog plans = catalog(settings(600, 60L, FROM_50, Map.of("gold", new Numbers(6_000L, null, 500L))));
        AdaptiveLimits following = new AdaptiveLimits(plans, () -> 0.9);
        read(following);

        Limit gold = plans.numbersFor("orders", "gold", "acme");
        assertThat(gold.permits()).isEqualTo(3_000);
        assertThat(gold.burst()).isEqualTo(250);
    }

    /** What a call may cost is checked against it, whenever that is. */
    @Test
    void leavesTheStatedCapacityAsItIsAndSoDoOverrides() {
        LimitCatalog plans = catalog(settings(600, 60L, FROM_50, Map.of("gold", new Numbers(6_000L, null, 500L))));
        read(new AdaptiveLimits(plans, () -> 0.9));
        plans.definitions().override(Overrides.NONE.with(new Target("orders", "gold"), new Numbers(null, null, 700L)));

        assertThat(plans.statedCapacity("Orders")).isEqualTo(500);
        assertThat(catalog.statedCapacity("orders")).isEqualTo(60);
    }

    @Test
    void shrinksWhatAnOverrideStates() {
        permitsAt(0.9, 1);
        catalog.definitions()
                .override(Overrides.NONE.with(new Target("orders", null), new Numbers(1_000L, null, 100L)));
        assertThat(permits(null)).isEqualTo(500);

        permitsAt(0.1, 5);
        assertThat(permits(null)).isEqualTo(1_000);
    }

    @Test
    void leavesAnOverrideBelowTheMinimumAsItIs() {
        catalog.definitions().override(Overrides.NONE.with(new Target("orders", null), new Numbers(20L, null, 20L)));

        assertThat(permitsAt(1.0, 2)).containsExactly(20L, 20L);
    }

    @Test
    void leavesAnOverrideBelowTheMinimumAsItIsThoughItComesWhileShrunk() {
        permitsAt(0.9, 1);
        catalog.definitions().override(Overrides.NONE.with(new Target("orders", null), new Numbers(20L, null, 20L)));
        assertThat(permits(null)).isEqualTo(20);

        assertThat(permitsAt(0.9, 2)).containsExactly(20L, 20L);
    }

    @Test
    void goesNotBelowTheMinimumOfNumbersThatComeWhileShrunk() {
        permitsAt(0.9, 4);
        catalog.definitions().override(Overrides.NONE.with(new Target("orders", null), new Numbers(100L, null, 10L)));
        assertThat(permits(null)).isEqualTo(50);

        catalog.definitions().override(Overrides.NONE);
        catalog.refresh(tuning(settings(200, 20L, FROM_50, Map.of("gold", new Numbers(2_000L, null, 200L)))));
        assertThat(permits(null)).isEqualTo(50);
        assertThat(permits("gold")).isEqualTo(500);
    }

    @Test
    void refusesAPlanThatCannotShrink() {
        assertThatExceptionOfType(InvalidLimitException.class)
                .isThrownBy(() -> catalog(settings(600, 60L, FROM_50, Map.of("gold", new Numbers(6_001L, null, 500L)))))
                .withMessageContaining("permits 6001 and burst 500 of plan gold do not shrink in one proportion");
    }

    @Test
    void leavesNumbersOfAnOverrideThatCannotShrinkAsTheyAre() {
        catalog.definitions().override(Overrides.NONE.with(new Target("orders", null), new Numbers(601L, null, 60L)));

        assertThat(permitsAt(0.9, 2)).containsExactly(601L, 601L);
    }

    @Test
    void keepsItsPlaceWhenPropertiesChangeAndReturnsWhenTheyNoLongerAskForIt() {
        permitsAt(0.9, 1);
        catalog.refresh(tuning(settings(800, 80L, FROM_50, Map.of())));
        assertThat(permits(null)).isEqualTo(400);

        catalog.refresh(tuning(settings(800, 80L, null, Map.of())));
        assertThat(permits(null)).isEqualTo(800);
    }

    @Test
    void logsOneLinePerChange(CapturedOutput output) {
        permitsAt(0.9, 1);
        permitsAt(0.7, 3);
        permitsAt(0.1, 1);

        assertThat(output.getOut().lines().filter(line -> line.contains("follows the CPU")))
                .hasSize(2)
                .anyMatch(
                        line -> line.endsWith(
                                "Limit 'orders' follows the CPU, whose load is 0.9: permits 300, they were 600; stated are 600"))
                .anyMatch(line -> line.contains("load is 0.1: permits 360, they were 300"));
    }

    @Test
    void logsNothingWhereAStepIsLessThanAPermit(CapturedOutput output) {
        LimitCatalog small = catalog(settings(2, 2L, new Adaptive(1L, 0.8, 0.5), Map.of()));
        AdaptiveLimits following = new AdaptiveLimits(small, () -> load);
        load = 0.9;
        read(following);
        load = 0.1;
        for (int i = 0; i < 5; i++) {
            read(following);
        }

        assertThat(output.getOut().lines().filter(line -> line.contains("follows the CPU")))
                .hasSize(2);
    }

    @Test
    void hasAThreadOnlyWhileThereIsALimitThatFollows() throws InterruptedException {
        LimitCatalog plain = catalog(settings(600, 60L, null, Map.of()));
        AdaptiveLimits none = new AdaptiveLimits(plain, () -> 0);
        none.start();
        assertThat(readers()).isEmpty();

        plain.refresh(tuning(settings(600, 60L, FROM_50, Map.of())));
        none.start();
        none.start();
        assertThat(readers()).hasSize(1);
        Thread reader = readers().get(0);
        none.close();
        reader.join(10_000);
        assertThat(readers()).isEmpty();
    }

    private static List<Thread> readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ratelimit-adaptive") && thread.isAlive())
                .toList();
    }

    /** The permits after each of so many judgements. */
    private List<Long> permitsAt(double present, int judgements) {
        load = present;
        List<Long> permits = new ArrayList<>();
        for (int i = 0; i < judgements; i++) {
            read(limits);
            permits.add(permits(null));
        }
        return permits;
    }

    private static void read(AdaptiveLimits following) {
        for (int i = 0; i < AdaptiveLimits.READINGS; i++) {
            following.read();
        }
    }

    private long permits(@Nullable String plan) {
        return catalog.numbersFor("orders", plan, "acme").permits();
    }

    private static LimitCatalog catalog(LimitSettings orders) {
        LimitCatalog catalog = new LimitCatalog(tuning(orders), (limit, key) -> null);
        catalog.check();
        return catalog;
    }

    private static Tuning tuning(LimitSettings orders) {
        return Tuning.of(Map.of("orders", orders));
    }

    private static LimitSettings settings(
            long permits, @Nullable Long burst, @Nullable Adaptive adaptive, Map<String, Numbers> plans) {
        return new LimitSettings(
                Algorithm.TOKEN_BUCKET,
                permits,
                Duration.ofMinutes(1),
                burst,
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
                adaptive,
                plans,
                Map.of());
    }
}
