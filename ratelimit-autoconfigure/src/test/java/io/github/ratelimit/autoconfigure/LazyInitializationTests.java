/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An application that makes its beans late has its limits checked early all the same. */
@ExtendWith(OutputCaptureExtension.class)
class LazyInitializationTests {

    private static final String LAZY = """
            spring.main.lazy-initialization: true
            ratelimit: { store: local, defaults: { permits: 10 } }
            """;

    @TempDir
    Path directory;

    @Test
    void stopsTheStartForAMistakeOnABeanNobodyHasMade(CapturedOutput output) {
        assertThat(new FailedStart(directory, output).with(LAZY, RateLimitAutoConfiguration.class, Misnamed.class))
                .contains("Limit 'oders': name = 'oders' is defined nowhere.")
                .contains("Misnamed.call()");
    }

    @Test
    void tellsAtStartWhatIsLimited(CapturedOutput output) {
        try (var context = FailedStart.application(
                        directory, LAZY, Map.of(), RateLimitAutoConfiguration.class, Orders.class)
                .run()) {
            assertThat(context.getBeanFactory().containsSingleton("lazyInitializationTests.Orders"))
                    .isFalse();
            assertThat(output).contains("Orders.create() is limited by");
        }
    }

    static class Misnamed {
        @RateLimited("oders")
        public void call() {}
    }

    static class Orders {
        @RateLimited
        public void create() {}
    }
}
