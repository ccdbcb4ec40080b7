/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** An application with a rule for paths, whose keys are {@link Seen}. */
final class RuledApplication {

    private RuledApplication() {}

    /** The properties of an application with a rule; of two for one name the later holds. */
    static String[] rule(String... more) {
        Map<String, String> properties = new LinkedHashMap<>();
        Stream<String> basic = Stream.of(
                "ratelimit.store=local",
                "ratelimit.limits.all.permits=1000",
                "ratelimit.limits.all.period=1h",
                "management.health.redis.enabled=false",
                "ratelimit.http.rules[0].limits=all",
                "ratelimit.http.rules[0].key=@seen.key(#caller.path)");
        Stream.concat(basic, Arrays.stream(more))
                .map(line -> line.startsWith("path=") ? "ratelimit.http.rules[0]." + line : line)
                .forEach(line -> properties.put(line.substring(0, line.indexOf('=')), line));
        return properties.values().toArray(String[]::new);
    }

    @EnableAutoConfiguration
    @Import(Handlers.class)
    static class Application {

        @Bean
        Seen seen() {
            return new Seen();
        }
    }

    /** An application that does not tell upper from lower case. */
    @Import({Application.class, Careless.OnServlets.class, Careless.OnWebFlux.class})
    @Configuration(proxyBeanMethods = false)
    static class Careless {

        static PathPatternParser parser() {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            return parser;
        }

        static class OnServlets implements WebMvcConfigurer {

            @Override
            public void configurePathMatch(
                    org.springframework.web.servlet.config.annotation.PathMatchConfigurer configurer) {
                configurer.setPatternParser(parser());
            }
        }

        static class OnWebFlux implements WebFluxConfigurer {

            @Override
            public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
                configurer.setUseCaseSensitiveMatch(false);
            }
        }
    }

    @RestController
    static class Handlers {

        @RequestMapping({"/api/{*rest}"})
        String api(@PathVariable String rest) {
            return "handled " + rest;
        }

        @RequestMapping("/api/echo")
        String echo(@RequestBody List<String> body) {
            return "handled " + body;
        }

        @RequestMapping("/fails")
        String fails() {
            throw new IllegalStateException("for the test");
        }

        @RequestMapping("/later")
        CompletableFuture<String> later() {
            return CompletableFuture.supplyAsync(() -> "handled later");
        }
    }
}
