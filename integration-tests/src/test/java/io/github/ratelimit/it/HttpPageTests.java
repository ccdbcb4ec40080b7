/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What {@code docs/http.md} shows is what applications do. */
class HttpPageTests {

    private static final Path PAGE = Path.of("..", "docs", "http.md");
    private static final Path THIS = Path.of("src/test/java/io/github/ratelimit/it/HttpPageTests.java");

    /** Its properties in one application, with the answers of both examples. */
    @ParameterizedTest
    @EnumSource
    void examplesWork(WebStack stack) throws Exception {
        Stream<String> properties = Stream.concat(
                Stream.of("ratelimit.store=local"), yaml().stream().flatMap(HttpPageTests::properties));
        try (RunningApplication app = stack.start(Application.class, properties.toArray(String[]::new))) {
            app.send("GET /value HTTP/1.1");
            assertThat(app.send("GET /value HTTP/1.1", "Accept: application/json")
                            .text())
                    .isEqualTo(answer());

            app.send("GET /own HTTP/1.1");
            RawAnswer own = app.send("GET /own HTTP/1.1");
            assertThat(own.status() + " " + own.body()).isEqualTo("429 limit 'own' is spent");
            assertThat(own.header("retry-after")).isEqualTo("3600");

            assertThat(app.send("POST /api/orders HTTP/1.1", "Content-Length: 0")
                            .status())
                    .as("nobody is logged in")
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource
    void conditionLeavesAPathOut(WebStack stack) throws Exception {
        String condition = blocks("condition: \"(#caller\\.path [^\"]*)\"").get(0);
        try (RunningApplication app = stack.start(
                Application.class,
                "ratelimit.store=local",
                "ratelimit.limits.one.permits=1",
                "ratelimit.limits.one.period=1h",
                "ratelimit.http.rules[0].path=/api/**",
                "ratelimit.http.rules[0].limits=one",
                "ratelimit.http.rules[0].condition=" + condition)) {
            assertThat(app.send("GET /api/other HTTP/1.1").status()).isEqualTo(404);
            assertThat(app.send("GET /api/other HTTP/1.1").status()).isEqualTo(429);
            assertThat(app.send("GET /api/health HTTP/1.1").status()).isEqualTo(404);
        }
    }

    @Test
    void handlerIsTheOneOfThisTest() throws Exception {
        List<String> handler = blocks("```java\n([^`]*)```").get(0).lines().toList();

        assertThat(Files.readString(THIS).lines().map(String::strip).toList())
                .containsSequence(handler.stream().map(String::strip).toList());
    }

    /** The answer on the page as {@link RawAnswer#text} writes it. */
    private static String answer() throws IOException {
        String shown = blocks("```http\nHTTP/1.1 ([^`]*)```").get(0).strip();
        int body = shown.indexOf("\n\n");
        Pattern name = Pattern.compile("^[\\w-]+(?=:)", Pattern.MULTILINE);
        String head = name.matcher(shown.substring(0, body))
                .replaceAll(match -> match.group().toLowerCase(Locale.ROOT));
        return head + shown.substring(body);
    }

    private static List<String> yaml() throws IOException {
        List<String> yaml = blocks("((?<=\n)    ratelimit:\n(?:    .*\n)+)");
        assertThat(yaml).hasSize(2);
        return yaml;
    }

    private static Stream<String> properties(String yaml) {
        YamlPropertiesFactoryBean factory = new YamlPropertiesFactoryBean();
        factory.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        Properties properties = Objects.requireNonNull(factory.getObject());
        return properties.keySet().stream().map(name -> name + "=" + properties.get(name));
    }

    private static List<String> blocks(String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    @EnableAutoConfiguration
    @Import({OneAnHour.class, Orders.class, Own.class})
    static class Application {}

    @RestController
    static class Orders {

        @PostMapping("/api/orders")
        String orders() {
            return "done";
        }
    }

    @RestController
    static class Own {

        @GetMapping("/own")
        @RateLimited(name = "own", permits = 1, period = "1h")
        public String own() {
            return "done";
        }

        @ExceptionHandler
        ResponseEntity<String> denied(RateLimitExceededException denial) {
            return ResponseEntity.status(429).body("limit '" + denial.denied().limit() + "' is spent");
        }
    }
}
