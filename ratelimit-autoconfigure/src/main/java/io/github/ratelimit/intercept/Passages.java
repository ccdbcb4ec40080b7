/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.limiter.Door;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.GenericTypeResolver;
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

    /** Of a method of this class, which may say what the method's declaration leaves open. */
    Passage of(Method method, Class<?> targetClass) {
        Passage reactor = REACTOR ? ReactorAdapter.of(method, targetClass, door) : null;
        if (reactor != null) {
            return reactor;
        }
        return StagePassage.carries(GenericTypeResolver.resolveReturnType(method, targetClass)) ? stages : blocking;
    }

    /** Whether such a method is decided for each subscription. */
    static boolean isSubscribed(Method method, Class<?> targetClass) {
        return REACTOR && ReactorAdapter.type(method, targetClass) != null;
    }

    /** The call of such a method from the first of all advice, whatever advice before the gate does with it. */
    static @Nullable Object begin(ProxyMethodInvocation call, Class<?> targetClass) throws Throwable {
        return ReactorBeginning.of(call, targetClass);
    }
}
