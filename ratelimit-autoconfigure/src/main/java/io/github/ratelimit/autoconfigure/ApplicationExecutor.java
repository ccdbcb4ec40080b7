/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.util.function.SingletonSupplier;

/** The application's task executor, looked up when first needed; without one, the common pool. */
final class ApplicationExecutor implements Executor {

    private final SingletonSupplier<Executor> executor;

    ApplicationExecutor(BeanFactory beans) {
        this.executor = SingletonSupplier.of(() -> {
            Executor found = find(beans);
            return found == null ? ForkJoinPool.commonPool() : PromptExecutor.of(found);
        });
    }

    private static @Nullable Executor find(BeanFactory beans) {
        String name = TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME;
        return beans.containsBean(name) ? beans.getBean(name, Executor.class) : null;
    }

    @Override
    public void execute(Runnable task) {
        executor.obtain().execute(task);
    }
}
