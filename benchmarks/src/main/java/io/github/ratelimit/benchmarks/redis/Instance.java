/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An instance of an application that only asks: 128 calls at once, all allowed. As a program, one JVM of several. */
final class Instance implements AutoCloseable {

    private static final int AT_ONCE = 128;

    /** A key that was called so often is there for twenty minutes. */
    private static final long LASTING_COST = 50;

    private final ConfigurableApplicationContext application;
    private final RateLimiter limiter;

    private Instance(String... redis) {
        this.application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn",
                        "spring.autoconfigure.exclude=" + Ours.EXCLUDED,
                        "ratelimit.store-timeout=5s")
                .properties(redis)
                .run();
        this.limiter = application.getBean(RateLimiter.class);
    }

    static Instance on(String host, int port) {
        return new Instance("spring.data.redis.host=" + host, "spring.data.redis.port=" + port);
    }

    static Instance onCluster(String addresses) {
        return new Instance("spring.data.redis.cluster.nodes=" + addresses);
    }

    /** Calls every key once, so that it stays. */
    void fill(long keys) {
        AtomicLong next = new AtomicLong();
        loop(LASTING_COST, () -> next.get() < keys ? next.getAndIncrement() : -1);
    }

    /**
     * Calls keys at random, once for ten of them: a table of Redis that has grown is moved to its new place little by little, by the
     * commands that follow, which cost more until that is done.
     */
    void settle(long keys) {
        AtomicLong left = new AtomicLong(keys / 10);
        loop(1, () -> left.getAndDecrement() > 0 ? ThreadLocalRandom.current().nextLong(keys) : -1);
    }

    /** Calls keys at random for so long. Returns how often. */
    long call(long keys, long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        return loop(
                1,
                () -> System.nanoTime() - end < 0 ? ThreadLocalRandom.current().nextLong(keys) : -1);
    }

    private long loop(long cost, LongSupplier keys) {
        AtomicLong calls = new AtomicLong();
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            chains.add(ended);
            goOn(cost, keys, calls, ended);
        }
        chains.forEach(CompletableFuture::join);
        return calls.get();
    }

    private void goOn(long cost, LongSupplier keys, AtomicLong calls, CompletableFuture<Void> ended) {
        long key = keys.getAsLong();
        if (key < 0) {
            ended.complete(null);
            return;
        }
        var unused = limiter.tryAcquireAsync("scale", "tenant-" + key, cost).whenComplete((decision, failure) -> {
            if (failure != null || !decision.passes()) {
                ended.completeExceptionally(new IllegalStateException("not allowed: " + decision, failure));
            } else {
                calls.incrementAndGet();
                goOn(cost, keys, calls, ended);
            }
        });
    }

    @Override
    public void close() {
        application.close();
    }

    /** Host, port, number of keys and milliseconds: calls when it reads a line, and tells how often. */
    public static void main(String[] arguments) throws Exception {
        try (Instance instance = on(arguments[0], Integer.parseInt(arguments[1]));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            long keys = Long.parseLong(arguments[2]);
            instance.call(keys, 3_000);
            Jvm.answer("ready");
            in.readLine();
            Jvm.answer(Long.toString(instance.call(keys, Long.parseLong(arguments[3]))));
        }
        System.exit(0);
    }

    /** An application with one limit that denies nobody. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Limited limited() {
            return new Limited();
        }
    }

    /** Says the numbers; nobody calls it. */
    static class Limited {

        @RateLimited(name = "scale", permits = 100_000, period = "31d", key = "#key")
        boolean allowed(String key) {
            return !key.isEmpty();
        }
    }
}
