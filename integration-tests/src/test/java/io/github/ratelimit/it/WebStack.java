/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** The two web stacks of Spring; each starts an application on its own server, at a free port. */
public enum WebStack {
    /** Spring MVC on Tomcat. */
    SERVLET(WebApplicationType.SERVLET),
    /** Spring WebFlux on Netty. */
    REACTIVE(WebApplicationType.REACTIVE);

    /** Where both servers are there, Boot 3.5 would take Tomcat for either stack. */
    private static final String NETTY_OF_BOOT_3 =
            "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory";

    /** Without its filters Spring Security is as good as absent. */
    static final String WITH_SECURITY = "spring.autoconfigure.exclude=";

    static final String WITHOUT_SECURITY = WITH_SECURITY
            + Stream.of(
                            "autoconfigure.security.servlet.SecurityAutoConfiguration",
                            "autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
                            "autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
                            "autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
                            "actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration",
                            "actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration",
                            "security.autoconfigure.SecurityAutoConfiguration",
                            "security.autoconfigure.UserDetailsServiceAutoConfiguration",
                            "security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
                            "security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
                            "security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
                            "security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
                            "security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration")
                    .map("org.springframework.boot."::concat)
                    .collect(Collectors.joining(","));

    /**
     * A connection for each request. Reactor Netty 1.3.7 may leave the next request on a kept one unread, if the one before was
     * answered from another thread (reactor/reactor-netty#4361).
     */
    private static final String NO_KEPT_CONNECTIONS = "server.netty.max-keep-alive-requests=1";

    /** Reactor Netty waits two seconds before it closes, for requests that nobody sends here. */
    private static final String NO_QUIET_PERIOD = "spring.reactor.netty.shutdown-quiet-period=0s";

    /** Without it Spring Cloud is as good as absent. */
    static final String WITH_CLOUD = "spring.cloud.refresh.enabled=true";

    private static final String WITHOUT_CLOUD = "spring.cloud.refresh.enabled=false";

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
    public RunningApplication start(Class<?> application, String... properties) {
        return startWith(List.of(application), List.of(properties), List.of());
    }

    /** Starts an application of several configuration classes; what stands in the second list of properties wins. */
    public RunningApplication startWith(List<Class<?>> application, List<String> properties, List<String> more) {
        SpringApplication spring = new SpringApplication(application.toArray(Class<?>[]::new));
        spring.setWebApplicationType(type);
        spring.setBannerMode(Banner.Mode.OFF);
        spring.addInitializers(this::chooseServer);
        Map<String, String> arguments = new LinkedHashMap<>();
        Stream.of(
                        List.of("server.port=0", WITHOUT_SECURITY, WITHOUT_CLOUD, NO_KEPT_CONNECTIONS, NO_QUIET_PERIOD),
                        properties,
                        more)
                .flatMap(List::stream)
                .forEach(property -> arguments.put(property.substring(0, property.indexOf('=')), "--" + property));
        return new RunningApplication(spring.run(arguments.values().toArray(String[]::new)));
    }

    private void chooseServer(ConfigurableApplicationContext context) {
        ClassLoader loader = context.getClassLoader();
        if (this == REACTIVE && ClassUtils.isPresent(NETTY_OF_BOOT_3, loader)) {
            Class<?> netty = ClassUtils.resolveClassName(NETTY_OF_BOOT_3, loader);
            ((GenericApplicationContext) context).registerBean(netty);
        }
    }
}
