/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Starts a real application that must not start, and reads what it says to people. */
record FailedStart(Path directory, CapturedOutput output) {

    /** The failure analysis of an application with this {@code application.yml}. */
    String with(String yml, Class<?>... configuration) {
        return with(yml, Map.of(), configuration);
    }

    /** The same in a process with these environment variables. */
    String with(String yml, Map<String, Object> variables, Class<?>... configuration) {
        return of(application(directory, yml, variables, configuration));
    }

    /** The same of an application that is prepared in some way. */
    String with(String yml, Consumer<SpringApplication> prepared, Class<?>... configuration) {
        SpringApplication application = application(directory, yml, Map.of(), configuration);
        prepared.accept(application);
        return of(application);
    }

    /** The failure analysis with one blank wherever there is space. */
    String inOneLine(String yml, Class<?>... configuration) {
        return with(yml, configuration).replaceAll("\\s+", " ");
    }

    private String of(SpringApplication application) {
        assertThatThrownBy(application::run).isInstanceOf(Exception.class);
        String said = output.getOut();
        assertThat(said).contains("APPLICATION FAILED TO START");
        return said.substring(said.lastIndexOf("APPLICATION FAILED TO START"));
    }

    static SpringApplication application(
            Path directory, String yml, Map<String, Object> variables, Class<?>... configuration) {
        Path file = directory.resolve("application.yml");
        try {
            Files.writeString(file, yml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        SpringApplication application = new SpringApplication(configuration);
        application.setEnvironment(environment);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(
                Map.of("spring.config.location", file.toUri().toString(), "spring.main.banner-mode", "off"));
        return application;
    }

    /** Nothing but the properties, checked as in an application. */
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(RateLimitProperties.class)
    static class Strict {

        @Bean
        static StrictProperties strictProperties(Environment environment) {
            return new StrictProperties(environment);
        }
    }
}
