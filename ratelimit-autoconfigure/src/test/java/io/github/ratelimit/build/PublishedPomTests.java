/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** What is published says what public repositories ask for, and nothing else is published. */
class PublishedPomTests {

    private static final List<String> PUBLISHED = List.of("ratelimit-autoconfigure", "ratelimit-starter");

    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name",
                "description",
                "url",
                "licenses/license/name",
                "licenses/license/url",
                "developers/developer/name",
                "scm/connection",
                "scm/developerConnection",
                "scm/url"
            })
    void parentSays(String what) throws Exception {
        assertThat(stated("pom.xml", what)).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("published")
    void moduleSaysItsNameAndWhatItIs(String module) throws Exception {
        assertThat(stated(module + "/pom.xml", "name")).isEqualTo(module);
        assertThat(stated(module + "/pom.xml", "description")).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("published")
    void sourcesAndJavadocAreBuilt(String module) throws Exception {
        String pom = Files.readString(RepositoryRoot.path(module + "/pom.xml"));

        assertThat(pom)
                .containsPattern("<artifactId>maven-source-plugin</artifactId>|<classifier>sources</classifier>")
                .containsPattern("<artifactId>maven-javadoc-plugin</artifactId>|<classifier>javadoc</classifier>");
    }

    @Test
    void nothingElseIsPublished() throws Exception {
        assertThat(Stream.of(stated("pom.xml", "modules").split("\\s+"))
                        .filter(module -> !module.isEmpty() && !PUBLISHED.contains(module)))
                .hasSizeGreaterThan(2)
                .allSatisfy(module -> assertThat(stated(module + "/pom.xml", "properties/maven.deploy.skip"))
                        .as(module)
                        .isEqualTo("true"));
    }

    private static String stated(String pom, String path) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(RepositoryRoot.path(pom).toFile());
        return XPATH.evaluate("/project/" + path, document).strip();
    }

    static List<String> published() {
        return PUBLISHED;
    }
}
