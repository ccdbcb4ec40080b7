/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.docs;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.build.RepositoryRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** The quick start of the README works as it stands there. */
class ReadmeTests {

    private static final String README = RepositoryRoot.text("README.md");

    @Test
    void annotationAndPropertiesOfTheQuickStartMakeALimit() throws IOException {
        assertThat(source()).contains(block("java"));
        List<PropertySource<?>> properties = new YamlPropertySourceLoader()
                .load("quick start", new ByteArrayResource(block("yaml").getBytes(StandardCharsets.UTF_8)));

        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withInitializer(
                        context -> properties.forEach(context.getEnvironment().getPropertySources()::addLast))
                .withPropertyValues("ratelimit.store=local")
                .withBean(OrderService.class)
                .run(context -> {
                    assertThat(context.getBean(OrderService.class).create("acme", new OrderRequest("a book")))
                            .isEqualTo(new Order("acme", "a book"));
                    Limit limit = context.getBean(Limits.class).numbersFor("order-service-create", null, "acme");
                    assertThat(limit.permits()).isEqualTo(600);
                    assertThat(limit.period()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(limit.burst()).isEqualTo(50);
                });
    }

    @Test
    void namesTheStarterAsItIsBuilt() {
        String pom = RepositoryRoot.text("pom.xml");
        String version = pom.substring(pom.indexOf("<version>"), pom.indexOf("</version>") + "</version>".length());

        assertThat(block("xml"))
                .contains(
                        "<groupId>io.github.ratelimit</groupId>",
                        "<artifactId>ratelimit-starter</artifactId>",
                        version);
    }

    @Test
    void namesFilesThatExist() {
        assertThat(README.lines()
                        .flatMap(line -> Pattern.compile("\\]\\(([^)#:]+)\\)")
                                .matcher(line)
                                .results()
                                .map(link -> link.group(1))))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(RepositoryRoot.path(file)).exists());
    }

    private static String block(String language) {
        int begin = README.indexOf("```" + language + "\n") + language.length() + 4;
        return README.substring(begin, README.indexOf("```", begin));
    }

    /** This class, as far out as the README has it. */
    private static String source() {
        return RepositoryRoot.text("ratelimit-autoconfigure/src/test/java/io/github/ratelimit/docs/ReadmeTests.java")
                .indent(-8);
    }

    record Order(String tenant, String what) {}

    record OrderRequest(String what) {}

    static class OrderService {

        @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
        public Order create(String tenantId, OrderRequest request) {
            return new Order(tenantId, request.what());
        }
    }
}
