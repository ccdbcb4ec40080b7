/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ObjectUtils;

/** A limit in a final class stops the start, and people read which, instead of why a subclass could not be made. */
@ExtendWith(OutputCaptureExtension.class)
class FinalClassMistakesTests {

    private static final String LOCAL = """
            ratelimit:
              store: local
              defaults: { permits: 10 }
            """;

    @TempDir
    Path directory;

    @Test
    void tellsThatAClassIsFinalBeforeItsBeanIsMade(CapturedOutput output) {
        assertThat(said(output, LOCAL + "\nspring.main.lazy-initialization: true", FinalOne.class))
                .contains("@RateLimited on " + FinalOne.class.getName() + ".call()")
                .contains("is on a method of a final class, which no proxy can be a subclass of.");
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalOne.class, FinalWithInterface.class, FinalRecord.class, FinalAndLimited.class})
    void tellsThatAClassIsFinal(Class<?> bean, CapturedOutput output) {
        assertThat(said(output, LOCAL, bean))
                .contains("@RateLimited on " + bean.getName() + ".call()")
                .contains("is on a method of a final class, which no proxy can be a subclass of.")
                .contains("Make the class not final, in Kotlin open, or move the method to another bean.");
    }

    private String said(CapturedOutput output, String yml, Class<?>... beans) {
        Class<?>[] all = ObjectUtils.addObjectToArray(beans, RateLimitAutoConfiguration.class, 0);
        return new FailedStart(directory, output).inOneLine(yml, all);
    }

    static final class FinalOne {
        @RateLimited
        public void call() {}
    }

    static final class FinalWithInterface implements Runnable {
        @Override
        public void run() {}

        @RateLimited
        public void call() {}
    }

    record FinalRecord() {
        @RateLimited
        public void call() {}
    }

    @RateLimited
    static final class FinalAndLimited {
        public void call() {}
    }
}
