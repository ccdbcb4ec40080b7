/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.intercept.misread.TwoNames;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ObjectUtils;

/** A name that a limit cannot have, or that is not clear, stops the start. */
@ExtendWith(OutputCaptureExtension.class)
class LimitNameMistakesTests {

    private static final String LOCAL = """
            ratelimit:
              store: local
              defaults: { permits: 10 }
            """;

    @TempDir
    Path directory;

    @Test
    void tellsWhichNameNobodyDefines(CapturedOutput output) {
        assertThat(said(output, LOCAL + "  limits: { orders: { permits: 5 } }", Misnamed.class))
                .contains("Limit 'oders': name = 'oders' is defined nowhere.")
                .contains("Misnamed.call(String)")
                .contains("Did you mean 'orders'?")
                .contains("Define ratelimit.limits.oders with permits and period, or state both in the annotation.");
    }

    @Test
    void tellsThatTwoMethodsDeriveOneName(CapturedOutput output) {
        assertThat(said(output, LOCAL, Overloaded.class))
                .contains(
                        "Limit 'overloaded-call': name = 'overloaded-call' is derived from two methods, which would share"
                                + " one counter; the other is " + Overloaded.class.getName() + ".call(")
                .contains("Overloaded.call(String)")
                .contains("Overloaded.call(int)")
                .contains(
                        "Give at least one of them a name of its own, @RateLimited(name = \"…\"). If they are to share"
                                + " one limit, state the same name on both.");
    }

    @ParameterizedTest
    @ValueSource(classes = {DerivedUmlaut.class, DerivedLong.class})
    void tellsThatADerivedNameIsNone(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, LOCAL, bean))
                .contains("is derived from class and method, and is not a name.")
                .contains("Stated in: " + bean.getName() + ".")
                .contains("State a name, @RateLimited(name = \"…\"): up to 100 letters");
    }

    @Test
    void tellsThatNameAndValueDiffer(CapturedOutput output) {
        assertThat(said(output, LOCAL, TwoNames.class))
                .contains("@RateLimited on " + TwoNames.class.getName() + ".call()")
                .contains("name = \"two\" is not the same as value = \"one\", and both mean the limit's name.")
                .contains("State one of them; for several limits repeat @RateLimited.");
    }

    @Test
    void tellsThatNameAndValueDifferWhereAScanMeetsThemFirst(CapturedOutput output) {
        assertThat(said(output, LOCAL, Scan.class))
                .contains("@RateLimited cannot be read: Different @AliasFor mirror values")
                .contains("'name' and its alias 'value' are declared with values of [two] and [one].")
                .contains("State name or value, which mean the same; for several limits repeat @RateLimited.");
    }

    private String said(CapturedOutput output, String yml, Class<?>... beans) {
        Class<?>[] all = ObjectUtils.addObjectToArray(beans, RateLimitAutoConfiguration.class, 0);
        return new FailedStart(directory, output).inOneLine(yml, all);
    }

    static class Misnamed {
        @RateLimited(name = "oders", key = "#tenant")
        public void call(String tenant) {}
    }

    static class Overloaded {
        @RateLimited
        public void call(String text) {}

        @RateLimited
        public void call(int number) {}
    }

    @SuppressWarnings("UnicodeInCode")
    static class DerivedUmlaut {
        @RateLimited
        public void größe() {}
    }

    static class DerivedLong {
        @RateLimited
        public void
                updateBillingPreferencesForTheCustomerAccountAndNotifyEverybodyAboutTheChangesImmediatelyAfterwards() {}
    }

    @Configuration
    @ComponentScan(basePackageClasses = TwoNames.class)
    static class Scan {}
}
