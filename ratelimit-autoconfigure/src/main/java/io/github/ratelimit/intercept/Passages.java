/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.limiter.Door;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.springframework.util.ClassUtils;

/** Chooses the passage for a method's return type. */
final class Passages {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", Passages.class.getClassLoader());

    private final Passage blocking;
    private final Passage stages;
    private final Door door;

    Passages(Door door, Executor executor) {
        this.door = door;
        this.blocking = new BlockingPassage(door);
        this.stages = new StagePassage(door, executor);
    }

    Passage of(Method method) {
        Passage reactor = REACTOR ? ReactorAdapter.of(method, door) : null;
        if (reactor != null) {
            return reactor;
        }
        return StagePassage.carries(method.getReturnType()) ? stages : blocking;
    }
}
