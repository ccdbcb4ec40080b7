/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.limiter.PresentRequest;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/**
 * Makes the executor on which controllers may block (virtual threads, for one) run each of them as part of its request:
 * whichever executor the other configurers chose.
 */
public final class CarryingExecution implements WebFluxConfigurer, Ordered {

    private final Supplier<Stream<WebFluxConfigurer>> configurers;

    /** A configurer behind these; it may be among them. */
    public CarryingExecution(Supplier<Stream<WebFluxConfigurer>> configurers) {
        this.configurers = configurers;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
        Chosen chosen = new Chosen();
        configurers.get().filter(other -> other != this).forEach(other -> other.configureBlockingExecution(chosen));
        AsyncTaskExecutor executor = chosen.executor();
        if (executor != null) {
            Executor carrying = PresentRequest.carriedBy(executor);
            configurer.setExecutor(carrying::execute);
        }
    }

    /** What others choose. */
    private static final class Chosen extends BlockingExecutionConfigurer {

        @Nullable
        AsyncTaskExecutor executor() {
            return getExecutor();
        }
    }
}
