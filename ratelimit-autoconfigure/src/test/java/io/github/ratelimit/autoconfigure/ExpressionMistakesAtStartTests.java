/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

/** Expressions and fallbacks that cannot work stop the start. */
@ExtendWith(OutputCaptureExtension.class)
class ExpressionMistakesAtStartTests {

    private static final String LOCAL = "ratelimit: { store: local, defaults: { permits: 10 } }";

    @TempDir
    Path directory;

    @Test
    void tellsWhatCannotBeParsed(CapturedOutput output) {
        assertThat(said(output, Unparsable.class))
                .contains("Unparsable.call(String)")
                .contains("key = \"#tenant +\" cannot be parsed: ")
                .contains("Variables are written #name, beans @name, text 'in quotes'.");
    }

    @Test
    void tellsWhichVariableIsUnknownAndWhichParametersThereAre(CapturedOutput output) {
        assertThat(said(output, UnknownVariable.class))
                .contains("UnknownVariable.call(String, int)")
                .contains("key = \"#tenantId\" uses the unknown variable '#tenantId'.")
                .contains("The parameters are #tenant, #size; also #caller, and beans as @name.");
    }

    @Test
    void tellsThatAFallbackIsMissing(CapturedOutput output) {
        assertThat(said(output, MissingFallback.class))
                .contains("MissingFallback.call(String)")
                .contains("fallback = \"instead\"")
                .contains("names a method that " + MissingFallback.class.getName() + " does not have.")
                .contains("optionally followed by a RateLimitExceededException");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LimitedFallback.class,
                FallbackLimitedByInterface.class,
                FallbackLimitedByClass.class,
                FallbackLimitedByWholeInterface.class
            })
    void tellsThatAFallbackWouldGoUnlimited(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, bean))
                .contains(bean.getSimpleName() + ".call(String)")
                .contains("fallback = \"instead\" names a method of the same class that is limited itself, and would be"
                        + " called past its limits.")
                .contains("Name it as a method of a bean, bean::method");
    }

    /** A denied call would run the method after all. */
    @ParameterizedTest
    @ValueSource(classes = {FallbackOfItsClass.class, FallbackItOverrides.class})
    void tellsThatAFallbackIsTheLimitedMethodItself(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, bean))
                .contains(bean.getSimpleName() + ".instead(String)")
                .contains("fallback = \"instead\" names the limited method itself.")
                .contains("Name another method. If the limit is the one of its class, free the fallback with"
                        + " @RateLimitExempt.");
    }

    @ParameterizedTest
    @ValueSource(classes = {OtherParameters.class, OtherResult.class, OtherElement.class, OtherException.class})
    void tellsThatAFallbackDoesNotFit(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, bean))
                .contains(bean.getSimpleName() + ".call(String)")
                .contains("fallback = \"instead\" names a method whose parameters or result do not fit.")
                .contains("Name a method with the parameters of the limited one");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BadCost      | cost = "'many'"         | is a java.lang.String instead of a number of permits. | Write a whole number of at least 0
            BadCondition | condition = "'yes'"     | is neither true nor false.                            | Write a comparison, or a boolean
            BadPlan      | plan = "7"              | is a java.lang.Integer.                               | Write the name of a plan
            BadKey       | key = "''"              | is never anybody.                                     | Leave it out for one counter for everyone.
            BadBean      | key = "@nobody.of(#p0)" | asks for the bean 'nobody', and there is none         | Declare it, or write the name
            """)
    void tellsThatAnAttributeCannotBeWhatItIsFor(
            String bean, String attribute, String problem, String remedy, CapturedOutput output) {
        Class<?> type = Stream.of(getClass().getDeclaredClasses())
                .filter(nested -> nested.getSimpleName().equals(bean))
                .findFirst()
                .orElseThrow();
        assertThat(said(output, type))
                .contains(bean + ".call(String)")
                .contains(attribute + " " + problem)
                .contains(remedy);
    }

    @Test
    void tellsThatTheBeanOfAFallbackDoesNotExist(CapturedOutput output) {
        assertThat(said(output, MissingBean.class))
                .contains("MissingBean.call(String)")
                .contains("fallback = \"helper::instead\" names a bean 'helper' that does not exist.")
                .contains("method of the same class, or bean::method.");
    }

    /** Denied, they would call each other until the stack is full. */
    @ParameterizedTest
    @ValueSource(classes = {ItsOwnFallback.class, TwoInARing.class, BehindAnInterface.class})
    void tellsThatFallbacksLeadBack(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, bean))
                .contains(".call(String)")
                .contains(
                        "::instead\" is limited itself, and its fallbacks lead back to this method: denied, they would"
                                + " call each other without end.")
                .contains("Let one of them have a fallback that is not limited, or none.");
    }

    @Test
    void tellsThatTheMethodOfAnotherBeanIsNotPublic(CapturedOutput output) {
        assertThat(said(output, HiddenHelper.class))
                .contains("HiddenHelper.call(String)")
                .contains("fallback = \"hiddenHelper::instead\" names a method of another bean that is not public.")
                .contains("Name a method with the parameters of the limited one");
    }

    private String said(CapturedOutput output, Class<?> bean) {
        return new FailedStart(directory, output).inOneLine(LOCAL, RateLimitAutoConfiguration.class, bean);
    }

    static class Unparsable {
        @RateLimited(key = "#tenant +")
        public void call(String tenant) {}
    }

    static class UnknownVariable {
        @RateLimited(key = "#tenantId")
        public void call(String tenant, int size) {}
    }

    static class BadCost {
        @RateLimited(cost = "'many'")
        public void call(String tenant) {}
    }

    static class BadCondition {
        @RateLimited(condition = "'yes'")
        public void call(String tenant) {}
    }

    static class BadPlan {
        @RateLimited(plan = "7")
        public void call(String tenant) {}
    }

    static class BadKey {
        @RateLimited(key = "''")
        public void call(String tenant) {}
    }

    static class BadBean {
        @RateLimited(key = "@nobody.of(#p0)")
        public void call(String tenant) {}
    }

    @Component("itself")
    static class ItsOwnFallback {
        @RateLimited(fallback = "itself::instead")
        public void call(String tenant) {}

        @RateLimited(fallback = "itself::call")
        public void instead(String tenant) {}
    }

    @Import(Third.class)
    @Component("first")
    static class TwoInARing {
        @RateLimited(name = "one", permits = 1, period = "1h")
        @RateLimited(name = "two", permits = 1, period = "1h", fallback = "third::instead")
        public void call(String tenant) {}
    }

    @Component("third")
    static class Third {
        @RateLimited(fallback = "third::further")
        public void instead(String tenant) {}

        @RateLimited(fallback = "first::call")
        public void further(String tenant) {}
    }

    interface Remote {
        @RateLimited(fallback = "remote::instead")
        void call(String tenant);

        @RateLimited(fallback = "remote::call")
        void instead(String tenant);
    }

    @Component("remote")
    static class BehindAnInterface implements Remote {
        @Override
        public void call(String tenant) {}

        @Override
        public void instead(String tenant) {}
    }

    static class MissingFallback {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}
    }

    static class LimitedFallback {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}

        @RateLimited
        public void instead(String tenant) {}
    }

    interface Instead {
        @RateLimited
        void instead(String tenant);
    }

    static class FallbackLimitedByInterface implements Instead {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}

        @Override
        public void instead(String tenant) {}
    }

    @RateLimited
    static class FallbackLimitedByClass {
        @RateLimited(name = "own", permits = 1, period = "1h", fallback = "instead")
        public void call(String tenant) {}

        public void instead(String tenant) {}
    }

    @RateLimited
    interface Whole {
        void instead(String tenant);
    }

    static class FallbackLimitedByWholeInterface implements Whole {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}

        @Override
        public void instead(String tenant) {}
    }

    @RateLimited(fallback = "instead")
    static class FallbackOfItsClass {
        public void instead(String tenant) {}
    }

    static class Overridden {
        public void instead(String tenant) {}
    }

    @RateLimited(fallback = "instead")
    static class FallbackItOverrides extends Overridden {
        @Override
        public void instead(String tenant) {}
    }

    static class OtherParameters {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}

        void instead(int tenant) {}
    }

    static class OtherResult {
        @RateLimited(fallback = "instead")
        public String call(String tenant) {
            return tenant;
        }

        int instead(String tenant) {
            return 1;
        }
    }

    static class OtherElement {
        @RateLimited(fallback = "instead")
        public CompletableFuture<String> call(String tenant) {
            return CompletableFuture.completedFuture(tenant);
        }

        CompletableFuture<Integer> instead(String tenant) {
            return CompletableFuture.completedFuture(1);
        }
    }

    static class OtherException {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}

        void instead(String tenant, IllegalStateException e) {}
    }

    static class MissingBean {
        @RateLimited(fallback = "helper::instead")
        public void call(String tenant) {}
    }

    @Configuration("hiddenHelper")
    static class HiddenHelper {
        @RateLimited(fallback = "hiddenHelper::instead")
        public void call(String tenant) {}

        void instead(String tenant) {}
    }
}
