/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.limiter.Door;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Chooses the passage for a method's return type. */
final class Passages {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", Passages.class.getClassLoader());

    private final Passage blocking;
    private final Passage stages;
    private final @Nullable Passage reactor;

    Passages(Door door, Executor executor) {
        this.blocking = new BlockingPassage(door);
        this.stages = new StagePassage(door, executor);
        this.reactor = REACTOR ? new ReactorAdapter(door) : null;
    }

    Passage of(Method method) {
        if (reactor != null && ReactorAdapter.carries(method)) {
            return reactor;
        }
        return StagePassage.carries(method.getReturnType()) ? stages : blocking;
    }
}
