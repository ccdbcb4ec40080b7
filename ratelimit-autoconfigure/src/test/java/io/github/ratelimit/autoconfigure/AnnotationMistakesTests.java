/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static io.github.ratelimit.Algorithm.FIXED_WINDOW;
import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static io.github.ratelimit.FailurePolicy.ALLOW;
import static io.github.ratelimit.FailurePolicy.DENY;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ObjectUtils;

/** Each mistake in an annotation stops the start; what people read names place, attribute, value and remedy. */
@ExtendWith(OutputCaptureExtension.class)
class AnnotationMistakesTests {

    private static final String LOCAL = """
            ratelimit:
              store: local
              defaults: { permits: 10 }
            """;

    @TempDir
    Path directory;

    @Test
    void tellsThatNobodyStatesPermits(CapturedOutput output) {
        assertThat(said(output, "ratelimit: { store: local }", Unnumbered.class))
                .contains("Limit 'unnumbered-call': permits = (none) are stated nowhere.")
                .contains("Stated in: " + Unnumbered.class.getName() + ".call()")
                .contains("Set ratelimit.limits.unnumbered-call.permits, ratelimit.defaults.permits, or permits in the"
                        + " annotation.");
    }

    @Test
    void tellsThatAWindowHasNoBurst(CapturedOutput output) {
        assertThat(said(output, LOCAL, BurstOnWindow.class))
                .contains("Limit 'burst-on-window-call': burst = 20 is an option that fixed-window does not have.")
                .contains("Stated in: " + BurstOnWindow.class.getName() + ".call()")
                .contains("Remove it, or choose another algorithm: it belongs to buckets.");
    }

    @Test
    void tellsThatAPeriodIsZero(CapturedOutput output) {
        assertThat(said(output, LOCAL, NoPeriod.class))
                .contains("Limit 'no-period-call': period = 0s is not a whole number of milliseconds from 1ms")
                .contains("Stated in: " + NoPeriod.class.getName() + ".call()")
                .contains("The nearest accepted duration is 1ms.");
    }

    @Test
    void tellsThatPermitsAreZero(CapturedOutput output) {
        assertThat(said(output, LOCAL, NoPermits.class))
                .contains("Limit 'no-permits-call': permits = 0 allows nothing.")
                .contains("Stated in: " + NoPermits.class.getName() + ".call()")
                .contains("The nearest accepted number is 1.");
    }

    @Test
    void tellsThatThereAreTwoFailurePolicies(CapturedOutput output) {
        assertThat(said(output, LOCAL, TwoPolicies.class))
                .contains("TwoPolicies.call()")
                .contains("onStoreFailure = \"[ALLOW, DENY]\" states more than one.")
                .contains("State one; for several limits repeat @RateLimited.");
    }

    @Test
    void tellsThatAMethodIsLimitedAndExempt(CapturedOutput output) {
        assertThat(said(output, LOCAL, Torn.class))
                .contains("Torn.call()")
                .contains("@RateLimitExempt stands beside @RateLimited.")
                .contains("Remove one of them.");
    }

    @Test
    void tellsWhatIsNoDuration(CapturedOutput output) {
        assertThat(said(output, LOCAL, NoDuration.class))
                .contains("NoDuration.call()")
                .contains("period = \"soon\"")
                .contains("is not a duration.")
                .contains("Write it like 500ms, 10s, 1m, 1h or PT1M.");
    }

    @Test
    void tellsThatAWaitIsTooLong(CapturedOutput output) {
        assertThat(said(output, LOCAL, LongWait.class))
                .contains("LongWait.call()")
                .contains("maxWait = \"61m\"")
                .contains("is not between 0s and 1h.")
                .contains("Write a wait of at most an hour, like 2s.");
    }

    @Test
    void tellsThatThereAreTwoAlgorithms(CapturedOutput output) {
        assertThat(said(output, LOCAL, TwoAlgorithms.class))
                .contains("TwoAlgorithms.call()")
                .contains("algorithm = \"[TOKEN_BUCKET, FIXED_WINDOW]\"")
                .contains("State one; for several limits repeat @RateLimited.");
    }

    @Test
    void tellsWhichPlaceholderIsUnknown(CapturedOutput output) {
        assertThat(said(output, LOCAL, Unresolved.class))
                .contains("Unresolved.call()")
                .contains("period = \"${orders.period}\"")
                .contains("has a placeholder that cannot be resolved")
                .contains("Define the property, or give the placeholder a default");
    }

    @Test
    void tellsThatACostCanNeverBeGranted(CapturedOutput output) {
        assertThat(said(output, LOCAL, Dear.class))
                .contains("Dear.call()")
                .contains("cost = \"11\"")
                .contains("is more than limit 'dear-call' can ever hold, which is 10.")
                .contains("Lower the cost, or raise permits (or burst, for a bucket) of ratelimit.limits.dear-call.");
    }

    @Test
    void tellsACostAsItIsWrittenAndWhatItComesTo(CapturedOutput output) {
        assertThat(said(output, LOCAL + "\nprice: 11", DearByProperty.class))
                .contains(
                        "cost = \"${price}\" is 11, more than limit 'dear-by-property-call' can ever hold, which is 10.");
    }

    @Test
    void tellsThatTwoAnnotationsContradictEachOther(CapturedOutput output) {
        assertThat(said(output, LOCAL, First.class, Contradicting.class))
                .contains("Limit 'shared': permits = 20 contradicts 10, which " + First.class.getName()
                        + ".one() states for the same limit. Stated in: " + Contradicting.class.getName() + ".two()")
                .contains(
                        "State it in one of the two annotations, or in neither and set ratelimit.limits.shared.permits."
                                + " If they are two limits, give one of them another name.");
    }

    @Test
    void startsWithADearCallThatSomePlanCanGrant(CapturedOutput output) {
        try (var context = FailedStart.application(
                        directory,
                        LOCAL + "  limits: { dear-call: { plans: { gold: { permits: 11 } } } }",
                        Map.of(),
                        RateLimitAutoConfiguration.class,
                        Dear.class)
                .run()) {
            assertThat(context.isActive()).isTrue();
        }
    }

    private String said(CapturedOutput output, String yml, Class<?>... beans) {
        Class<?>[] all = ObjectUtils.addObjectToArray(beans, RateLimitAutoConfiguration.class, 0);
        return new FailedStart(directory, output).inOneLine(yml, all);
    }

    static class Unnumbered {
        @RateLimited
        public void call() {}
    }

    static class BurstOnWindow {
        @RateLimited(algorithm = FIXED_WINDOW, burst = 20)
        public void call() {}
    }

    static class NoPeriod {
        @RateLimited(period = "0s")
        public void call() {}
    }

    static class NoPermits {
        @RateLimited(permits = 0)
        public void call() {}
    }

    static class NoDuration {
        @RateLimited(period = "soon")
        public void call() {}
    }

    static class LongWait {
        @RateLimited(maxWait = "61m")
        public void call() {}
    }

    static class TwoAlgorithms {
        @RateLimited(algorithm = {TOKEN_BUCKET, FIXED_WINDOW})
        public void call() {}
    }

    static class TwoPolicies {
        @RateLimited(onStoreFailure = {ALLOW, DENY})
        public void call() {}
    }

    static class Torn {
        @RateLimited
        @RateLimitExempt
        public void call() {}
    }

    static class Unresolved {
        @RateLimited(period = "${orders.period}")
        public void call() {}
    }

    static class Dear {
        @RateLimited(cost = "11")
        public void call() {}
    }

    static class DearByProperty {
        @RateLimited(cost = "${price}")
        public void call() {}
    }

    static class First {
        @RateLimited(name = "shared", permits = 10, period = "1m")
        public void one() {}
    }

    static class Contradicting {
        @RateLimited(name = "shared", permits = 20)
        public void two() {}
    }
}
