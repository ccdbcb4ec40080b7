/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.build.RepositoryRoot;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MutationPageTests {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `.+ \\| (\\d+) \\| .+ \\|$");

    /** One that is explained but killed would leave room for one that is not explained. */
    @Test
    void theBuildLetsAsManySurviveAsThePageExplains() {
        String page = RepositoryRoot.text("docs/mutation.md");
        int explained = ROW.matcher(page)
                .results()
                .mapToInt(row -> Integer.parseInt(row.group(1)))
                .sum();

        assertThat(page).contains("There are %d of these".formatted(explained));
        assertThat(RepositoryRoot.text("ratelimit-autoconfigure/pom.xml"))
                .contains("<maxSurviving>%d</maxSurviving>".formatted(explained));
    }
}
