/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.it.RunningApplication;
import io.github.ratelimit.it.WebStack;
import io.github.ratelimit.it.docs.Page.Block;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The override that {@code docs/tuning.md} shows is taken, with the properties that stand above it. */
class TuningPageTests {

    private static final Pattern CURL = Pattern.compile(
            "curl -X POST localhost:8080(\\S+) .*-H 'Content-Type: application/json' -d '([^']+)'", Pattern.DOTALL);

    private static final List<Block> SHOWN = Page.of("docs/tuning.md").blocks().stream()
            .filter(block -> block.section().equals("Overrides"))
            .toList();

    @ParameterizedTest
    @EnumSource
    void overrideIsTaken(WebStack stack, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("page.yml"), code("yaml"));
        Matcher curl = CURL.matcher(code("sh"));
        assertThat(curl.find()).isTrue();
        try (RunningApplication app = stack.startWith(
                List.of(CopiedBlocks.Whole.class),
                List.of(
                        "spring.config.location=" + file.toUri(),
                        "ratelimit.store=local",
                        "ratelimit.limits.orders.permits=600"),
                List.of())) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port(app) + curl.group(1)))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(curl.group(2)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"permits\":100").contains("\"burst\":20");
        }
    }

    private static String port(RunningApplication app) {
        return app.context().getEnvironment().getRequiredProperty("local.server.port");
    }

    private static String code(String language) {
        return SHOWN.stream()
                .filter(block -> block.language().equals(language))
                .map(Block::code)
                .findFirst()
                .orElseThrow();
    }
}
