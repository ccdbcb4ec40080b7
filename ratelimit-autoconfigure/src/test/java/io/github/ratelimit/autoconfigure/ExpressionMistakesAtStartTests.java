/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

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
                .contains("key = \"#tenant +\"");
    }

    @Test
    void tellsWhichVariableIsUnknownAndWhichParametersThereAre(CapturedOutput output) {
        assertThat(said(output, UnknownVariable.class))
                .contains("UnknownVariable.call(String, int)")
                .contains("key = \"#tenantId\"")
                .contains("#tenant")
                .contains("#size");
    }

    @Test
    void tellsThatAFallbackIsMissing(CapturedOutput output) {
        assertThat(said(output, MissingFallback.class))
                .contains("MissingFallback.call(String)")
                .contains("fallback = \"instead\"")
                .contains("names a method that " + MissingFallback.class.getName() + " does not have.")
                .contains("optionally followed by a RateLimitExceededException");
    }

    @Test
    void tellsThatAFallbackDoesNotFit(CapturedOutput output) {
        assertThat(said(output, OtherParameters.class))
                .contains("OtherParameters.call(String)")
                .contains("names a method whose parameters or result do not fit");
        assertThat(said(output, OtherResult.class))
                .contains("OtherResult.call(String)")
                .contains("names a method whose parameters or result do not fit");
        assertThat(said(output, OtherElement.class))
                .contains("OtherElement.call(String)")
                .contains("names a method whose parameters or result do not fit");
        assertThat(said(output, OtherException.class))
                .contains("OtherException.call(String)")
                .contains("names a method whose parameters or result do not fit");
    }

    @Test
    void tellsThatTheBeanOfAFallbackDoesNotExist(CapturedOutput output) {
        assertThat(said(output, MissingBean.class))
                .contains("fallback = \"helper::instead\"")
                .contains("names a bean 'helper' that does not exist");
    }

    @Test
    void tellsThatTheMethodOfAnotherBeanIsNotPublic(CapturedOutput output) {
        assertThat(new FailedStart(directory, output).with(LOCAL, RateLimitAutoConfiguration.class, HiddenHelper.class))
                .contains("names a method of another bean that is not public");
    }

    private String said(CapturedOutput output, Class<?> bean) {
        return new FailedStart(directory, output).with(LOCAL, RateLimitAutoConfiguration.class, bean);
    }

    static class Unparsable {
        @RateLimited(key = "#tenant +")
        public void call(String tenant) {}
    }

    static class UnknownVariable {
        @RateLimited(key = "#tenantId")
        public void call(String tenant, int size) {}
    }

    static class MissingFallback {
        @RateLimited(fallback = "instead")
        public void call(String tenant) {}
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
