/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.build.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The reference of the properties is made of what editors show. */
class PropertiesPageTests {

    @BeforeAll
    static void write() throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(RepositoryRoot.path(PropertiesPage.FILE), PropertiesPage.text());
        }
    }

    @Test
    void isUpToDate() {
        assertThat(RepositoryRoot.text(PropertiesPage.FILE))
                .as("written by this test with -Ddocs.write=true")
                .isEqualTo(PropertiesPage.text());
    }

    @Test
    void hasEveryProperty() {
        String page = RepositoryRoot.text(PropertiesPage.FILE);

        assertThat(new KnownProperties().names())
                .allSatisfy(name -> assertThat(page)
                        .contains("`" + (name.contains(KnownProperties.ANY) ? last(name) : String.join(".", name))
                                + "`"));
    }

    private static String last(List<String> name) {
        String last = name.get(name.size() - 1);
        return last.equals(KnownProperties.ANY) ? name.get(name.size() - 2) : last;
    }
}
