/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the Gradle scripts declare, read as text: no Gradle is needed. It understands the plain form the scripts are
 * written in, one declaration a line, and fails on a line it does not understand.
 */
final class GradleBuild {

    private static final Pattern INCLUDE = Pattern.compile("(?m)^include\\(\"([^\"]+)\"\\)$");
    private static final Pattern VERSION = Pattern.compile("(\\w+) = \"([^\"]+)\"");
    private static final Pattern LIBRARY =
            Pattern.compile("(\\w+) = \\{ module = \"([^\"]+)\"(?:, version\\.ref = \"(\\w+)\")? }");
    private static final Pattern DECLARATION =
            Pattern.compile("(\\w+)\\((?:project\\(\":([\\w-]+)\"\\)|libs\\.(\\w+))\\)(?: \\{ (.+) })?");
    private static final Pattern EXCLUSION =
            Pattern.compile("exclude\\(group = \"([^\"]+)\"(?:, module = \"([^\"]+)\")?\\)");
    private static final Pattern SHARED_PROCESSOR = Pattern.compile("add\\(processors, catalog\\.(\\w+)\\)");

    private static final Map<String, String> SCOPES = Map.of(
            "api", "compile",
            "implementation", "compile",
            "compileOnly", "optional",
            "runtimeOnly", "runtime",
            "testImplementation", "test",
            "testRuntimeOnly", "test",
            "annotationProcessor", "processor");

    private final Properties projectProperties = new Properties();
    private final Map<String, String> versions = new HashMap<>();
    private final Map<String, Library> libraries = new HashMap<>();

    GradleBuild() {
        RepositoryRoot.text("gradle.properties")
                .lines()
                .filter(line -> line.contains("="))
                .forEach(line -> {
                    int equals = line.indexOf('=');
                    projectProperties.put(line.substring(0, equals), line.substring(equals + 1));
                });
        section("versions").forEach(line -> {
            Matcher version = matched(VERSION, line, "gradle/libs.versions.toml");
            versions.put(version.group(1), version.group(2));
        });
        section("libraries").forEach(line -> {
            Matcher library = matched(LIBRARY, line, "gradle/libs.versions.toml");
            String version = library.group(3) == null ? DeclaredDependency.MANAGED : version(library.group(3));
            libraries.put(library.group(1), new Library(library.group(2), version));
        });
    }

    String projectProperty(String name) {
        return projectProperties.getProperty(name, "none");
    }

    String version(String name) {
        return Optional.ofNullable(versions.get(name))
                .orElseThrow(() -> new AssertionError("gradle/libs.versions.toml has no version " + name));
    }

    Set<String> modules() {
        Set<String> modules = new TreeSet<>();
        INCLUDE.matcher(RepositoryRoot.text("settings.gradle.kts"))
                .results()
                .forEach(include -> modules.add(include.group(1)));
        return modules;
    }

    Set<DeclaredDependency> sharedProcessors() {
        Set<DeclaredDependency> processors = new TreeSet<>();
        SHARED_PROCESSOR
                .matcher(RepositoryRoot.text("build.gradle.kts"))
                .results()
                .forEach(found -> processors.add(library(found.group(1)).as("processor", List.of())));
        return processors;
    }

    Set<DeclaredDependency> dependencies(String module) {
        String file = module + "/build.gradle.kts";
        String block = RepositoryRoot.text(file).replaceFirst("(?s)^.*\\ndependencies \\{\\n", "");
        Set<DeclaredDependency> dependencies = new TreeSet<>();
        statements(block.substring(0, block.indexOf("\n}")))
                .forEach(line -> dependencies.add(dependency(matched(DECLARATION, line, file), file)));
        return dependencies;
    }

    /** The libraries of the catalog that no script uses. */
    Set<String> unusedLibraries() {
        StringBuilder scripts = new StringBuilder(RepositoryRoot.text("build.gradle.kts"));
        modules().forEach(module -> scripts.append(RepositoryRoot.text(module + "/build.gradle.kts")));
        Set<String> unused = new TreeSet<>(libraries.keySet());
        unused.removeIf(alias -> Pattern.compile("(libs|catalog)\\." + alias + "\\b")
                .matcher(scripts)
                .find());
        return unused;
    }

    private DeclaredDependency dependency(Matcher declaration, String file) {
        String scope = SCOPES.get(declaration.group(1));
        if (scope == null) {
            throw new AssertionError(file + ": unknown configuration in " + declaration.group());
        }
        List<String> exclusions = new ArrayList<>();
        if (declaration.group(4) != null) {
            Matcher exclusion = matched(EXCLUSION, declaration.group(4), file);
            exclusions.add(exclusion.group(1) + ":"
                    + Optional.ofNullable(exclusion.group(2)).orElse("*"));
        }
        Library library = declaration.group(2) == null
                ? library(declaration.group(3))
                : new Library(projectProperty("group") + ":" + declaration.group(2), projectProperty("version"));
        return library.as(scope, exclusions);
    }

    private Library library(String alias) {
        return Optional.ofNullable(libraries.get(alias))
                .orElseThrow(() -> new AssertionError("gradle/libs.versions.toml has no library " + alias));
    }

    private static Stream<String> section(String name) {
        String rest = RepositoryRoot.text("gradle/libs.versions.toml")
                .replaceFirst("(?s)^.*\\[" + Pattern.quote(name) + "]\\n", "");
        int next = rest.indexOf("\n[");
        return statements(next < 0 ? rest : rest.substring(0, next));
    }

    private static Stream<String> statements(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("#"));
    }

    private static Matcher matched(Pattern pattern, String line, String file) {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.matches()) {
            throw new AssertionError(file + ": write it plainly, this test cannot read: " + line);
        }
        return matcher;
    }

    private record Library(String artifact, String version) {

        DeclaredDependency as(String scope, List<String> exclusions) {
            return new DeclaredDependency(scope, artifact, version, exclusions);
        }
    }
}
