/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.build.RepositoryRoot;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What these pages show in Java stands, to the letter, in tests that run. */
class TestingPageTests {

    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");
    private static final String TESTS = "ratelimit-autoconfigure/src/test/java/io/github/ratelimit/docs/";
    private static final String SLICES = "integration-tests/src/test/java/io/github/ratelimit/it/slice/";

    @ParameterizedTest
    @CsvSource({
        "testing, 5, SwitchedOffExampleTests MovedClockExampleTests boot4/WebMvcSliceTests",
        "tuning, 2, SteeringExampleTests",
        "monitoring, 1, SteeringExampleTests"
    })
    void everyExampleIsPartOfATest(String page, int examples, String names) {
        List<String> tests = Stream.of(names.split(" "))
                .map(name -> flat(RepositoryRoot.text((name.contains("/") ? SLICES : TESTS) + name + ".java")))
                .toList();

        assertThat(JAVA.matcher(RepositoryRoot.text("docs/" + page + ".md"))
                        .results()
                        .map(example -> example.group(1)))
                .hasSize(examples)
                .allSatisfy(example -> assertThat(tests).anyMatch(test -> test.contains(flat(example))));
    }

    /** Lines without what they are indented by. */
    private static String flat(String text) {
        return text.lines().map(String::strip).reduce("", (all, line) -> all + line + "\n");
    }
}
