/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Maven and Gradle build the same thing: modules, dependencies, versions and compiler flags. */
class BuildParityTests {

    private final MavenBuild maven = new MavenBuild();
    private final GradleBuild gradle = new GradleBuild();

    @Test
    void sameProject() {
        assertThat(gradle.projectProperty("group")).isEqualTo(maven.groupId());
        assertThat(gradle.projectProperty("version")).isEqualTo(maven.property("project.version"));
    }

    @Test
    void sameModules() {
        assertSame("modules", maven.modules(), gradle.modules());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void sameDependencies(String module) {
        assertSame("dependencies of " + module, maven.dependencies(module), gradle.dependencies(module));
    }

    @Test
    void sameProcessorsEverywhere() {
        assertSame("annotation processors", maven.sharedProcessors(), gradle.sharedProcessors());
    }

    @ParameterizedTest
    @CsvSource({"spring-boot.version, bootBaseline", "it.spring-boot.version, bootRun"})
    void sameSpringBoot(String property, String version) {
        assertThat(gradle.version(version)).as(version).isEqualTo(maven.property(property));
    }

    @Test
    void sameCompilerArguments() {
        String script = RepositoryRoot.text("build.gradle.kts");

        assertThat(maven.compilerArguments())
                .isNotEmpty()
                .allSatisfy(argument -> assertThat(script)
                        .as("build.gradle.kts, compiler arguments")
                        .contains("\"" + argument + "\""));
        assertThat(script).contains("options.release.set(" + maven.property("maven.compiler.release") + ")");
    }

    @Test
    void sameTagsStayOut() {
        List<String> tags = List.of(maven.property("test.excluded-groups").split(",", -1));

        assertThat(RepositoryRoot.text("build.gradle.kts"))
                .contains("val ownTags = listOf(\"" + String.join("\", \"", tags) + "\")");
    }

    @Test
    void catalogHoldsNothingUnused() {
        assertThat(gradle.unusedLibraries()).isEmpty();
    }

    static Stream<String> modules() {
        return new MavenBuild().modules().stream();
    }

    private static <T> void assertSame(String what, Set<T> maven, Set<T> gradle) {
        assertThat(List.of(without(maven, gradle), without(gradle, maven)))
                .as("%s: [only in Maven], [only in Gradle]", what)
                .isEqualTo(List.of(List.of(), List.of()));
        assertThat(maven).as(what).isNotEmpty();
    }

    private static <T> List<T> without(Set<T> these, Collection<T> those) {
        Set<T> rest = new TreeSet<>(these);
        rest.removeAll(those);
        return List.copyOf(rest);
    }
}
