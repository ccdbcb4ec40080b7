/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.PlanResolver;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which plan's numbers hold: the caller's, else the key's, else the resolver's. */
@ExtendWith(OutputCaptureExtension.class)
class PlansTests {

    private static final Map<String, Numbers> PLANS =
            Map.of("gold", new Numbers(100L, null, null), "silver-plus", new Numbers(10L, null, null));

    @Test
    void callerBeatsKeysBeatResolver() {
        LimitCatalog catalog = catalog(Map.of("acme", "gold"), (limit, key) -> limit + "/" + key.equals("x"));
        assertThat(permits(catalog, "silver-plus", "acme")).isEqualTo(10);
        assertThat(permits(catalog, null, "acme")).isEqualTo(100);

        LimitCatalog resolving = catalog(Map.of("acme", "gold"), (limit, key) -> "silver-plus");
        assertThat(permits(resolving, null, "acme")).isEqualTo(100);
        assertThat(permits(resolving, null, "other")).isEqualTo(10);
    }

    @Test
    void keyOnNoPlanHasTheBaseNumbers() {
        assertThat(permits(catalog(Map.of("acme", "gold"), (limit, key) -> null), null, "ACME"))
                .isEqualTo(1);
    }

    @Test
    void plansMatchAsPropertiesDo() {
        assertThat(permits(catalog(Map.of("acme", "SilverPlus"), (limit, key) -> null), null, "acme"))
                .isEqualTo(10);
    }

    @Test
    void resolverMayAnswerDifferentlyFromCallToCall() {
        String[] plan = {"gold"};
        LimitCatalog catalog = catalog(Map.of(), (limit, key) -> plan[0]);
        assertThat(permits(catalog, null, "acme")).isEqualTo(100);

        plan[0] = "silver-plus";
        assertThat(permits(catalog, null, "acme")).isEqualTo(10);
    }

    @Test
    void resolverIsNotAskedWhereThereAreNoPlans() {
        PlanResolver never = (limit, key) -> {
            throw new AssertionError("asked");
        };
        LimitCatalog catalog = new LimitCatalog(Tuning.of(Map.of("orders", settings(Map.of(), Map.of()))), never);

        assertThat(permits(catalog, null, "acme")).isEqualTo(1);
    }

    @Test
    void unknownPlanMeansTheBaseNumbersAndOneWarning(CapturedOutput output) {
        LimitCatalog catalog = catalog(Map.of(), (limit, key) -> "platinum");

        assertThat(permits(catalog, null, "acme")).isEqualTo(1);
        assertThat(permits(catalog, null, "other")).isEqualTo(1);
        assertThat(permits(catalog, "bronze\nforged line", "acme")).isEqualTo(1);

        assertThat(output)
                .containsOnlyOnce("Limit 'orders' has no plan 'platinum' (it has gold, silver-plus)")
                .containsOnlyOnce("no plan 'bronze?forged line'");
    }

    @Test
    void unknownPlanOfAKeyIsToldOfAtStart(CapturedOutput output) {
        catalog(Map.of("acme", "golden"), (limit, key) -> null).check();

        assertThat(output).containsOnlyOnce("has no plan 'golden'").doesNotContain("acme");
    }

    @Test
    void warningsAreBounded(CapturedOutput output) {
        LimitCatalog catalog = catalog(Map.of(), (limit, key) -> null);

        IntStream.range(0, 1_000).forEach(i -> permits(catalog, "plan-" + i, "acme"));

        assertThat(output).contains("'plan-99'").contains("there are too many").doesNotContain("'plan-100'");
    }

    @Test
    void lookUpWithoutPlansAllocatesNothing() {
        LimitCatalog catalog =
                new LimitCatalog(Tuning.of(Map.of("orders", settings(Map.of(), Map.of()))), (limit, key) -> null);
        catalog.check();

        assertThat(bytesPerLookUp(catalog)).isZero();
    }

    @Test
    void lookUpByKeyAllocatesNothing() {
        LimitCatalog catalog = catalog(Map.of("acme", "gold"), (limit, key) -> null);
        catalog.check();

        assertThat(bytesPerLookUp(catalog)).isZero();
    }

    private static long bytesPerLookUp(LimitCatalog catalog) {
        com.sun.management.ThreadMXBean thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int times = 10_000;
        long sum = 0;
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = thread.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < times; i++) {
                sum += catalog.numbersFor("orders", null, "acme").permits();
            }
            best = Math.min(best, thread.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(sum).isPositive();
        return best / times;
    }

    private static long permits(LimitCatalog catalog, @Nullable String plan, String key) {
        return catalog.numbersFor("orders", plan, key).permits();
    }

    private static LimitCatalog catalog(Map<String, String> keys, PlanResolver resolver) {
        return new LimitCatalog(Tuning.of(Map.of("orders", settings(PLANS, keys))), resolver);
    }

    private static LimitSettings settings(Map<String, Numbers> plans, Map<String, String> keys) {
        return new LimitSettings(
                null, 1L, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                plans, keys);
    }
}
