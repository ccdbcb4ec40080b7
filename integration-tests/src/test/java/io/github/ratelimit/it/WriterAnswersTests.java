/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A controller that asked for the answer's writer is refused as any other, and what it wrote goes. */
@ExtendWith(OutputCaptureExtension.class)
class WriterAnswersTests {

    @ParameterizedTest
    @ValueSource(strings = {"argument", "written", "wide"})
    void areProblems(String path, CapturedOutput log) throws Exception {
        try (RunningApplication app =
                WebStack.SERVLET.start(Application.class, "ratelimit.store=local", "spring.application.name=writers")) {
            assertThat(app.send("GET /" + path + " HTTP/1.1").body().replace("\0", ""))
                    .endsWith("done");

            RawAnswer refused = app.send("GET /" + path + " HTTP/1.1");

            assertThat(refused.text().replaceAll(";charset=[-\\w]+", "").replaceAll("[^\\p{ASCII}]|\0", ""))
                    .isEqualTo(RefusalSpecification.denied(path));
            assertThat(refused.whole()).isTrue();
        }
        assertThat(log.getAll()).doesNotContain("ERROR", "WARN", "\tat ");
    }

    @EnableAutoConfiguration
    @Import({Writing.class, Limited.class})
    static class Application {}

    @Service
    static class Limited {

        @RateLimited(name = "written", permits = 1, period = "1h")
        public String written() {
            return "done";
        }

        @RateLimited(name = "wide", permits = 1, period = "1h")
        public String wide() {
            return "done";
        }
    }

    @RestController
    static class Writing {

        private final Limited limited;

        Writing(Limited limited) {
            this.limited = limited;
        }

        @GetMapping("/argument")
        @RateLimited(name = "argument", permits = 1, period = "1h")
        public void argument(Writer writer) throws IOException {
            writer.write("done");
        }

        @GetMapping("/written")
        public void written(HttpServletResponse response) throws IOException {
            response.getWriter().write("begun, ");
            response.getWriter().write(limited.written());
        }

        @GetMapping("/wide")
        public void wide(HttpServletResponse response) throws IOException {
            response.setCharacterEncoding("UTF-16BE");
            response.getWriter().write("begun, ");
            response.getWriter().write(limited.wide());
        }
    }
}
