/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docs/compatibility.md} says to have run is run. */
class CompatibilityPageTests {

    private static final Page PAGE = Page.of("docs/compatibility.md");

    /** What nobody could run, wherever a page speaks of it. */
    private static final Pattern NOT_RUN =
            Pattern.compile("(?i)\\b(docker|valkey|redis 8|native image|gradle|compose\\.yaml)");

    /** Pages that do not tell users what to run; this one has a column for it. */
    private static final List<String> INSIDE =
            List.of("docs/decisions.md", "docs/compatibility.md", "ARCHITECTURE.md", "CHANGELOG.md");

    /** A test that is named, and the lines it stands for. */
    record Named(String test, boolean onBoot3, boolean onBoot4) {

        /** Where its source is, if it runs on these lines and no other. */
        String place() {
            if (onBoot3 && onBoot4) {
                return "(integration-tests|sample-app)/(?!.*/boot[34]/).*";
            }
            return "(integration-tests|sample-app)/.*/" + (onBoot3 ? "boot3" : "boot4") + "/.*";
        }
    }

    @ParameterizedTest
    @MethodSource("named")
    void testExistsAndRunsOnTheLines(Named named) throws IOException {
        String file = "/" + named.test() + ".java";
        Path root = Path.of("..");
        try (Stream<Path> modules = Stream.of(root.resolve("integration-tests"), root.resolve("sample-app"))) {
            assertThat(modules.flatMap(module -> walk(module.resolve("src/test/java")))
                            .map(path -> root.relativize(path).toString().replace('\\', '/'))
                            .filter(path -> path.endsWith(file)))
                    .hasSize(1)
                    .allSatisfy(path -> assertThat(path).matches(named.place()));
        }
    }

    @Test
    void versionsAreThoseOfTheBuild() {
        String pom = Page.of("pom.xml").text();

        assertThat(PAGE.text())
                .contains("Spring Boot " + between(pom, "<spring-boot.version>", "<") + " |")
                .contains("Spring Boot " + between(pom, "<it.spring-boot.version>", "<") + " |");
    }

    /** In a line for each, wherever else the page speaks of it. */
    @ParameterizedTest
    @MethodSource("pages")
    void whatWasNotRunIsLabelled(Page page) {
        List<String> labelled = page.text()
                .lines()
                .filter(line -> line.contains("not run") || line.contains("未实际运行"))
                .map(line -> line.toLowerCase(Locale.ROOT))
                .toList();

        assertThat(NOT_RUN.matcher(page.text())
                        .results()
                        .map(word -> word.group(1).toLowerCase(Locale.ROOT)))
                .allSatisfy(word -> assertThat(labelled).anyMatch(line -> line.contains(word)));
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }

    private static Stream<Path> walk(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<Named> named() {
        return PAGE.text()
                .lines()
                .map(line -> line.split(" ?\\| ?", -1))
                .filter(cells -> cells.length == 6 && cells[4].startsWith("`"))
                .flatMap(cells -> Stream.of(cells[4].split(", ", -1))
                        .map(name -> new Named(name.replace("`", ""), cells[2].equals("yes"), cells[3].equals("yes"))));
    }

    static Stream<Page> pages() {
        return Page.all().stream().filter(page -> !INSIDE.contains(page.file()));
    }
}
