/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.build;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/** What the POMs declare. Reads the elements this repository uses, not everything a POM can hold. */
final class MavenBuild {

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");
    private static final String OWN_GROUP = "io.github.ratelimit";

    private final Element parent = parse("pom.xml");
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> managedVersions = new HashMap<>();

    MavenBuild() {
        child(parent, "properties")
                .ifPresent(all -> children(all).forEach(one -> properties.put(one.getTagName(), text(one))));
        properties.put("project.version", textOf(parent, "version"));
        under(parent, "dependencyManagement", "dependencies")
                .filter(managed -> child(managed, "scope").isEmpty())
                .forEach(managed -> managedVersions.put(artifact(managed), textOf(managed, "version")));
    }

    String property(String name) {
        return Optional.ofNullable(properties.get(name))
                .orElseThrow(() -> new AssertionError("pom.xml has no property " + name));
    }

    String groupId() {
        return textOf(parent, "groupId");
    }

    Set<String> modules() {
        Set<String> modules = new TreeSet<>();
        under(parent, "modules").forEach(module -> modules.add(text(module)));
        return modules;
    }

    /** The arguments every module's compiler gets; those for its own process without their {@code -J}. */
    List<String> compilerArguments() {
        return under(compilerPlugin(parent, "build", "pluginManagement", "plugins"), "configuration", "compilerArgs")
                .map(argument -> text(argument).replaceFirst("^-J", ""))
                .toList();
    }

    /** The annotation processors of every module. */
    Set<DeclaredDependency> sharedProcessors() {
        return processors(compilerPlugin(parent, "build", "pluginManagement", "plugins"));
    }

    Set<DeclaredDependency> dependencies(String module) {
        Element pom = parse(module + "/pom.xml");
        Set<DeclaredDependency> dependencies = new TreeSet<>();
        under(pom, "dependencies").forEach(one -> dependencies.add(dependency(one)));
        under(pom, "build", "plugins")
                .filter(plugin -> textOf(plugin, "artifactId").equals("maven-compiler-plugin"))
                .forEach(plugin -> dependencies.addAll(processors(plugin)));
        return dependencies;
    }

    private Set<DeclaredDependency> processors(Element compilerPlugin) {
        Set<DeclaredDependency> processors = new TreeSet<>();
        under(compilerPlugin, "configuration", "annotationProcessorPaths").forEach(path -> {
            String stated = textOf(path, "version");
            String version = stated.equals(property("spring-boot.version")) ? DeclaredDependency.MANAGED : stated;
            processors.add(new DeclaredDependency("processor", artifact(path), version, List.of()));
        });
        return processors;
    }

    private DeclaredDependency dependency(Element declared) {
        boolean optional =
                child(declared, "optional").map(this::text).orElse("").equals("true");
        String scope = child(declared, "scope").map(this::text).orElse("compile");
        String version = child(declared, "version")
                .map(this::text)
                .or(() -> Optional.ofNullable(managedVersions.get(artifact(declared))))
                .orElse(DeclaredDependency.MANAGED);
        List<String> exclusions = new ArrayList<>();
        under(declared, "exclusions").forEach(exclusion -> exclusions.add(artifact(exclusion)));
        return new DeclaredDependency(
                optional || scope.equals("provided") ? "optional" : scope, artifact(declared), version, exclusions);
    }

    private Element compilerPlugin(Element from, String... path) {
        return under(from, path)
                .filter(plugin -> textOf(plugin, "artifactId").equals("maven-compiler-plugin"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("pom.xml configures no maven-compiler-plugin"));
    }

    private String artifact(Element declared) {
        String group = child(declared, "groupId").map(this::text).orElse(OWN_GROUP);
        return group + ":" + textOf(declared, "artifactId");
    }

    private String textOf(Element element, String name) {
        return child(element, name)
                .map(this::text)
                .orElseThrow(() -> new AssertionError("no <" + name + "> in <" + element.getTagName() + ">"));
    }

    private String text(Element element) {
        Matcher placeholder = PROPERTY.matcher(element.getTextContent().strip());
        return placeholder.replaceAll(found -> Matcher.quoteReplacement(
                Optional.ofNullable(properties.get(found.group(1))).orElse(found.group())));
    }

    /** The elements inside the one that a path of names leads to. */
    private static Stream<Element> under(Element from, String... path) {
        Optional<Element> here = Optional.of(from);
        for (String name : path) {
            here = here.flatMap(element -> child(element, name));
        }
        return here.stream().flatMap(MavenBuild::children);
    }

    private static Optional<Element> child(Element element, String name) {
        return children(element).filter(one -> one.getTagName().equals(name)).findFirst();
    }

    private static Stream<Element> children(Element element) {
        return IntStream.range(0, element.getChildNodes().getLength())
                .mapToObj(element.getChildNodes()::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static Element parse(String relative) {
        Path file = RepositoryRoot.path(relative);
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (Exception e) {
            throw new AssertionError("cannot read " + relative, e);
        }
    }
}
