/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import io.github.ratelimit.testredis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The sample, running in this JVM, at a free port. */
record Sample(ConfigurableApplicationContext context) implements AutoCloseable {

    /** A machine that is late at times has no outage. */
    static final String IN_ITS_OWN_TIME = "--ratelimit.store-timeout=20s";

    /** No permit comes back while a test looks. */
    static final List<String> HOURLY =
            List.of("--ratelimit.defaults.period=1h", "--ratelimit.limits.order-controller-create.period=1h");

    /** A sample that counts on this Redis. */
    static Sample on(RedisServer redis, String... arguments) {
        return start(
                arguments,
                "--ratelimit.store=redis",
                "--spring.data.redis.host=" + redis.host(),
                "--spring.data.redis.port=" + redis.port());
    }

    /** A sample that counts in this JVM. */
    static Sample local(String... arguments) {
        return start(arguments, "--ratelimit.store=local");
    }

    private static Sample start(String[] arguments, String... store) {
        List<String> all = new ArrayList<>(List.of(store));
        all.add("--server.port=0");
        all.add(IN_ITS_OWN_TIME);
        all.addAll(List.of(arguments));
        SpringApplication application = new SpringApplication(SampleApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        return new Sample(application.run(all.toArray(String[]::new)));
    }

    Http http() {
        return new Http(port());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
