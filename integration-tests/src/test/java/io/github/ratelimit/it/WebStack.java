/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** The two web stacks of Spring; each starts an application on its own server, at a free port. */
enum WebStack {
    /** Spring MVC on Tomcat. */
    SERVLET(WebApplicationType.SERVLET),
    /** Spring WebFlux on Netty. */
    REACTIVE(WebApplicationType.REACTIVE);

    private final WebApplicationType type;

    WebStack(WebApplicationType type) {
        this.type = type;
    }

    /**
     * Starts an application.
     *
     * @param application its configuration classes
     * @param properties its properties, as on a command line: {@code name=value}
     */
    RunningApplication start(Class<?> application, String... properties) {
        SpringApplication spring = new SpringApplication(application);
        spring.setWebApplicationType(type);
        spring.setBannerMode(Banner.Mode.OFF);
        String[] arguments = new String[properties.length + 1];
        arguments[0] = "--server.port=0";
        for (int i = 0; i < properties.length; i++) {
            arguments[i + 1] = "--" + properties[i];
        }
        ConfigurableApplicationContext context = spring.run(arguments);
        return new RunningApplication(context);
    }
}
