/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages hang together. */
class AllPagesTests {

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

    static Stream<Page> pages() {
        return Page.all().stream();
    }
}
