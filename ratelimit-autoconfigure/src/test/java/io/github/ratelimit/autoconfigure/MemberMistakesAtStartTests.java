/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.stereotype.Component;

/** What an expression names of the caller, of a bean or by its type, and is not there, stops the start. */
@ExtendWith(OutputCaptureExtension.class)
class MemberMistakesAtStartTests {

    private static final String LOCAL = "ratelimit: { store: local, defaults: { permits: 10 } }";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BadHeader     | key = "#caller.headr('X')"       | reads 'headr('X')', which io.github.ratelimit.expression.Caller does not have. | Write a public getter
            BadType       | key = "T(nosuch.Type).x()"       | names the type T(nosuch.Type), and there is none of this name.                 | Write the full name of a class
            BadMethod     | key = "@tenants.nosuch(#p0)"     | reads 'nosuch(#p0)', which                                                     | Write a public getter
            BadArguments  | plan = "@tenants.planOf()"       | reads 'planOf()', which                                                        | takes: planOf(String).
            BadCondition  | condition = "@tenants.isOpen(1)" | reads 'isOpen(1)', which                                                       | takes: isOpen().
            """)
    void tellsWhatIsNotThere(String bean, String attribute, String problem, String remedy, CapturedOutput output) {
        Class<?> type = Stream.of(getClass().getDeclaredClasses())
                .filter(nested -> nested.getSimpleName().equals(bean))
                .findFirst()
                .orElseThrow();
        assertThat(new FailedStart(directory, output)
                        .inOneLine(LOCAL, RateLimitAutoConfiguration.class, Tenants.class, type))
                .contains(bean + ".call(String)")
                .contains(attribute + " " + problem)
                .contains(remedy);
    }

    static class BadHeader {
        @RateLimited(key = "#caller.headr('X')")
        public void call(String tenant) {}
    }

    static class BadType {
        @RateLimited(key = "T(nosuch.Type).x()")
        public void call(String tenant) {}
    }

    static class BadMethod {
        @RateLimited(key = "@tenants.nosuch(#p0)")
        public void call(String tenant) {}
    }

    static class BadArguments {
        @RateLimited(plan = "@tenants.planOf()")
        public void call(String tenant) {}
    }

    static class BadCondition {
        @RateLimited(condition = "@tenants.isOpen(1)")
        public void call(String tenant) {}
    }

    @Component("tenants")
    static class Tenants {
        public String planOf(String tenant) {
            return "gold";
        }

        public boolean isOpen() {
            return true;
        }
    }
}
