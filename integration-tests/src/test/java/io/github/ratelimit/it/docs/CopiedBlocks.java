/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.it.docs.Page.Block;
import io.github.ratelimit.it.docs.shop.Accounts;
import io.github.ratelimit.it.docs.shop.Tenants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What somebody gets who copies blocks of a page into an application: its classes, and its files of properties. */
record CopiedBlocks(List<Class<?>> classes, String properties) {

    /** These and others. */
    CopiedBlocks with(Class<?>... others) {
        return new CopiedBlocks(
                Stream.concat(classes.stream(), Stream.of(others)).toList(), properties);
    }

    /** Runs them without a web server. */
    ConfigurableApplicationContext run() {
        SpringApplication application = new SpringApplication(classes.toArray(Class<?>[]::new));
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run("--" + properties);
    }

    /** Counts in this JVM unless a block says otherwise; of several blocks the last has its way. */
    static CopiedBlocks of(List<Block> blocks, CompiledPage compiled, Path directory) throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        classes.add(Surroundings.class);
        List<String> files = new ArrayList<>();
        files.add(write(directory.resolve("first.yml"), "ratelimit.store: local\n"));
        for (Block block : blocks) {
            classes.addAll(compiled.beans(block));
            if (block.language().equals("yaml")) {
                files.add(write(directory.resolve("block%d.yml".formatted(block.number())), block.code()));
            }
        }
        return new CopiedBlocks(classes, "spring.config.location=" + String.join(",", files));
    }

    private static String write(Path file, String text) throws IOException {
        return Files.writeString(file, text).toUri().toString();
    }

    /** The beans that snippets take for granted. */
    @Configuration(proxyBeanMethods = false)
    static class Surroundings {

        @Bean
        Accounts accounts() {
            return new Accounts();
        }

        @Bean
        Tenants tenants() {
            return new Tenants();
        }
    }

    /** A whole application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Whole {}

    /** An application that has limits and nothing else, and starts so much sooner. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(RateLimitAutoConfiguration.class)
    static class Least {}
}
