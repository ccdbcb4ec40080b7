/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;

class PreferenceTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "application/xhtml+xml",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "text/html, */*",
                "*/*, text/html",
                "text/html;q=0.9, application/json;q=0.8",
                "application/problem+json;q=0.1, text/html;q=0.2",
                "text/html, application/*",
                "text/html, application/json;q=0",
                "Text/HTML"
            })
    void isAPage(String accept) {
        assertThat(Preference.isPage(accept)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/json",
                "application/problem+json",
                "text/html, application/json",
                "text/html;q=0.8, application/problem+json;q=0.9",
                "text/html;q=0.5, */*",
                "text/html;q=0",
                "application/xml",
                "text/plain",
                "text/html;q=broken",
                "html",
                ",,,;;=text/html"
            })
    void isAProblem(String accept) {
        assertThat(Preference.isPage(accept)).isFalse();
    }

    /** Spring's pages would be 406. */
    @Test
    void isAProblemForWhoAcceptsMoreThanFiftyKinds() {
        assertThat(Preference.isPage("text/html," + "text/plain,".repeat(49))).isTrue();
        assertThat(Preference.isPage("text/html," + "text/plain,".repeat(50))).isFalse();
    }

    @Test
    void isAProblemForWhoAcceptsAnything() {
        assertThat(Preference.isPage(null)).isFalse();
    }

    @Test
    void putsWhatIsAcceptedInOrder() {
        assertThat(Preference.inOrder("text/plain;q=0.5, */*, application/json"))
                .containsExactly(
                        MediaType.APPLICATION_JSON, MediaType.ALL, MediaType.parseMediaType("text/plain;q=0.5"));
    }

    /** More than fifty nobody puts in order. */
    @Test
    void takesWhatCannotBeReadForEverything() {
        for (String accept : new String[] {null, "", "broken", "text/plain," + "text/html,".repeat(60)}) {
            assertThat(Preference.inOrder(accept)).containsExactly(MediaType.ALL);
        }
    }
}
