/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.it.RawAnswer;
import io.github.ratelimit.it.RunningApplication;
import io.github.ratelimit.it.WebStack;
import io.github.ratelimit.it.docs.Page.Block;
import io.github.ratelimit.local.LocalRateLimitStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Whoever copies what a page shows has an application that starts, says and answers what the page says. */
@ExtendWith(OutputCaptureExtension.class)
class PagesTests {

    /** Pages whose code another test runs, and which. */
    private static final List<String> ELSEWHERE = List.of(
            "ARCHITECTURE.md", // drawings
            "docs/algorithms.md", // AlgorithmExamplesTests
            "docs/faq.md", // FaqTests
            "docs/http.md", // HttpPageTests
            "docs/monitoring.md", // SteeringExampleTests
            "docs/testing.md", // TestingPageTests
            "docs/tuning.md"); // SteeringExampleTests

    private static final List<String> LANGUAGES = List.of("java", "yaml", "xml", "sh", "http", "text");

    /** Behind it the README is about this repository, and {@code sample-app} runs what it shows. */
    private static final String SAMPLE = "\n## Run the sample";

    private static final Pattern CURL = Pattern.compile("curl -i (?:-X (\\w+) )?localhost:8080(\\S*)");

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("pages")
    void blocksAreOfAKindThatIsTested(Page page) {
        assertThat(page.blocks()).extracting(Block::language).isSubsetOf(LANGUAGES);
    }

    /** So that nothing is passed over for want of a word. */
    @ParameterizedTest
    @MethodSource("io.github.ratelimit.it.docs.Page#all")
    void everyBlockSaysWhatItIs(Page page) {
        assertThat(page.blocks()).extracting(Block::language).doesNotContain("");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void whatIsShownStarts(Page page) throws Exception {
        try (CompiledPage compiled = CompiledPage.of(page.blocks(), directory)) {
            CopiedBlocks.of(page.blocks(), compiled, directory)
                    .with(CopiedBlocks.Least.class, FrozenClock.class)
                    .run()
                    .close();
        }
    }

    /** To who has copied what stands above. */
    @ParameterizedTest
    @MethodSource("pagesWithLog")
    void theLogSaysWhatIsShown(Page page, CapturedOutput output) throws Exception {
        Block shown =
                page.blocks().stream().filter(PagesTests::isLog).findFirst().orElseThrow();
        List<Block> above = page.blocks().stream()
                .filter(block -> block.number() < shown.number())
                .toList();
        try (CompiledPage compiled = CompiledPage.of(above, directory)) {
            CopiedBlocks.of(above, compiled, directory)
                    .with(CopiedBlocks.Least.class)
                    .run()
                    .close();
        }
        assertThat(shown.code().lines())
                .allSatisfy(line -> assertThat(output.toString()).contains(line));
    }

    static Stream<Page> pagesWithLog() {
        return pages().filter(page -> page.blocks().stream().anyMatch(PagesTests::isLog));
    }

    private static boolean isLog(Block block) {
        return block.language().equals("text");
    }

    @ParameterizedTest
    @EnumSource
    void answersAreTheOnesShown(WebStack stack) throws Exception {
        for (Page page : pages().toList()) {
            if (page.blocks().stream().noneMatch(block -> block.language().equals("http"))) {
                continue;
            }
            try (CompiledPage compiled = CompiledPage.of(page.blocks(), directory)) {
                CopiedBlocks copied = CopiedBlocks.of(page.blocks(), compiled, directory)
                        .with(CopiedBlocks.Whole.class, FrozenClock.class);
                try (RunningApplication app =
                        stack.startWith(copied.classes(), List.of(copied.properties()), List.of())) {
                    ask(app, page.blocks());
                }
            }
        }
    }

    /** Sends each request until it is answered with the status that is shown: some need to be sent more than once. */
    private static void ask(RunningApplication app, List<Block> blocks) throws IOException {
        for (int i = 1; i < blocks.size(); i++) {
            if (blocks.get(i).language().equals("http")) {
                String shown = blocks.get(i).code().strip();
                Matcher curl = CURL.matcher(blocks.get(i - 1).code());
                assertThat(curl.find()).isTrue();
                String method = curl.group(1) == null ? "GET" : curl.group(1);
                RawAnswer answer;
                int tries = 0;
                do {
                    answer = app.send(method + ' ' + curl.group(2) + " HTTP/1.1");
                } while (!shown.startsWith("HTTP/1.1 " + answer.status()) && tries++ < 10);
                assertThat(answer.text()).isEqualTo(inLowerCase(shown.substring("HTTP/1.1 ".length())));
            }
        }
    }

    /** An answer as {@link RawAnswer#text} writes it. */
    private static String inLowerCase(String shown) {
        int body = shown.indexOf("\n\n");
        return Pattern.compile("(?m)^[\\w-]+(?=:)")
                        .matcher(shown.substring(0, body))
                        .replaceAll(name -> name.group().toLowerCase(Locale.ROOT))
                + shown.substring(body);
    }

    @Test
    void dependencyIsTheOneThatIsBuilt() {
        String pom = Page.of("pom.xml").text();
        String version = pom.substring(pom.indexOf("<version>"), pom.indexOf("</version>") + "</version>".length());
        List<Block> dependencies = pages().flatMap(page -> page.blocks().stream())
                .filter(block -> block.language().equals("xml"))
                .toList();

        assertThat(dependencies)
                .hasSizeGreaterThan(1)
                .allSatisfy(block -> assertThat(block.code())
                        .contains("<groupId>io.github.ratelimit</groupId>", "ratelimit-starter", version));
    }

    static Stream<Page> pages() {
        return Page.all().stream()
                .filter(page -> !ELSEWHERE.contains(page.file()))
                .filter(page -> !page.file().contains(".zh-CN.")) // AllPagesTests: shows the same
                .map(PagesTests::withoutSample)
                .filter(page -> !page.blocks().isEmpty());
    }

    static Page withoutSample(Page page) {
        int sample = page.text().indexOf(SAMPLE);
        return sample < 0 ? page : new Page(page.file(), page.text().substring(0, sample));
    }

    /** However slow the machine is, answers tell the whole time to wait. */
    @Configuration(proxyBeanMethods = false)
    static class FrozenClock {

        @Bean
        RateLimitStore store() {
            return new LocalRateLimitStore(() -> 1_800_000_000_000_000L, 1_000);
        }
    }
}
