/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages hang together. */
class AllPagesTests {

    private static final String TRANSLATED = ".zh-CN";
    private static final Pattern TESTS = Pattern.compile("(?<![\\w-])[A-Z]\\w+Tests\\b");

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Page page) {
        assertThat(page.links())
                .allSatisfy(link -> assertThat(Page.leads(link)).as(link).isTrue());
    }

    @Test
    void indexHasEveryPage() {
        List<String> indexed = Page.of("docs/README.md").links();

        assertThat(pages().map(Page::file).filter(file -> file.startsWith("docs/") && !file.endsWith("/README.md")))
                .isSubsetOf(indexed);
        assertThat(Page.of("README.md").links()).contains("docs/README.md");
    }

    /** A translation shows the same code in the same order; of the README what is for users. */
    @ParameterizedTest
    @ValueSource(strings = {"README", "docs/getting-started"})
    void translationShowsTheSame(String page) {
        assertThat(Page.of(page + ".zh-CN.md").blocks().stream().map(Page.Block::code))
                .isEqualTo(PagesTests.withoutSample(Page.of(page + ".md")).blocks().stream()
                        .map(Page.Block::code)
                        .toList());
    }

    /** Headings of the same levels in the same order. */
    @ParameterizedTest
    @ValueSource(strings = {"README", "docs/getting-started"})
    void translationHasTheSameHeadings(String page) {
        assertThat(Page.of(page + ".zh-CN.md").levels())
                .isEqualTo(Page.of(page + ".md").levels());
    }

    /** Links to the same pages, in whatever order; to the other language and within a page aside. */
    @ParameterizedTest
    @ValueSource(strings = {"README", "docs/getting-started"})
    void translationLeadsToTheSame(String page) {
        assertThat(linksOf(page + ".zh-CN.md")).isEqualTo(linksOf(page + ".md"));
    }

    private static Set<String> linksOf(String page) {
        String original = page.replace(TRANSLATED, "");
        return Page.of(page).links().stream()
                .map(link -> link.replace(TRANSLATED, ""))
                .filter(link -> !link.startsWith(original))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@code SomeTests}, wherever a page says what holds it. */
    @ParameterizedTest
    @MethodSource("pages")
    void testsThatAreNamedExist(Page page) {
        assertThat(TESTS.matcher(page.text()).results().map(MatchResult::group)).isSubsetOf(tests());
    }

    private static Set<String> tests() {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(AllPagesTests::testsIn)
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> testsIn(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Tests.java"))
                    .map(name -> name.replace(".java", ""))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Page> pages() {
        return Page.all().stream();
    }
}
