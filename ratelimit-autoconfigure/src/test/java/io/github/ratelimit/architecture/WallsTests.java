/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.github.ratelimit.Limit;
import io.github.ratelimit.architecture.fixture.elsewhere.Squatter;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The walls stand in the library, and each falls where the fixture breaks it. */
class WallsTests {

    private static final String LIBRARY = "io.github.ratelimit";
    private static final String FIXTURE = LIBRARY + ".architecture.fixture";

    private static final JavaClasses LIBRARY_CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> location.contains("/ratelimit-autoconfigure/"))
            .importPackages(LIBRARY);
    private static final JavaClasses FIXTURE_CLASSES = new ClassFileImporter().importPackages(FIXTURE);

    /** The rules that are not one room's, each with the words its report must say about the fixture. */
    private static final Map<String, Case> GENERAL = new TreeMap<>(Map.of(
            "every package is a room", new Case(Walls::everyPackageIsARoom, Squatter.class.getName()),
            "no cycles", new Case(Walls::noCycles, "Cycle detected"),
            "Boot is for wiring", new Case(Walls::bootIsForWiring, FIXTURE + ".store.Trespasser"),
            "foreign types: words", new Case(Walls::foreignTypesStayInTheirFile, FIXTURE + ".KnowsReactor"),
            "foreign types: limiter", new Case(Walls::foreignTypesStayInTheirFile, FIXTURE + ".limiter.KnowsReactor"),
            "foreign types: gate", new Case(Walls::foreignTypesStayInTheirFile, FIXTURE + ".intercept.KnowsReactor"),
            "arithmetic: clock", new Case(Walls::arithmeticHasNoClockAndNoInput, "java.lang.System.nanoTime()"),
            "arithmetic: input", new Case(Walls::arithmeticHasNoClockAndNoInput, "java.io.File"),
            "every package is null-marked", new Case(Walls::everyPackageIsNullMarked, Squatter.class.getName())));

    @Test
    void seesTheLibrary() {
        assertThat(LIBRARY_CLASSES.contain(Limit.class)).isTrue();
        assertThat(LIBRARY_CLASSES.contain(WallsTests.class)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void roomUsesOnlyWhatItMay(Rooms room) {
        new Walls(LIBRARY).around(room).check(LIBRARY_CLASSES);
    }

    @ParameterizedTest
    @MethodSource("general")
    void libraryKeepsTheRule(String rule) {
        GENERAL.get(rule).rule().apply(new Walls(LIBRARY)).check(LIBRARY_CLASSES);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTOCONFIGURE")
    void wallOfARoomFallsOnItsTrespasser(Rooms room) throws ReflectiveOperationException {
        Class<?> trespasser = Class.forName(room.packageUnder(FIXTURE) + ".Trespasser");
        Class<?> ours = (Class<?>) trespasser.getField("OURS").get(null);
        Class<?> others = (Class<?>) trespasser.getField("OTHERS").get(null);

        String report = report(new Walls(FIXTURE).around(room));

        assertThat(report).contains("<" + ours.getName() + ">").contains("<" + others.getName() + ">");
    }

    @ParameterizedTest
    @MethodSource("general")
    void ruleFallsOnTheFixture(String rule) {
        Case expected = GENERAL.get(rule);

        assertThat(report(expected.rule().apply(new Walls(FIXTURE)))).contains(expected.said());
    }

    @Test
    void fileNamedAfterAForeignTypeMayKnowIt() {
        assertThat(report(new Walls(FIXTURE).foreignTypesStayInTheirFile()))
                .doesNotContain("ReactorAdapter")
                .doesNotContain("SomeReactiveRateLimiter");
    }

    static Stream<String> general() {
        return GENERAL.keySet().stream();
    }

    private static String report(ArchRule rule) {
        return String.join(
                "\n", rule.evaluate(FIXTURE_CLASSES).getFailureReport().getDetails());
    }

    private record Case(Function<Walls, ArchRule> rule, String said) {}
}
