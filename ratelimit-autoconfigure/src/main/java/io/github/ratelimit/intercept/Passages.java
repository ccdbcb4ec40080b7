/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.limiter.Door;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.util.ClassUtils;

/** Chooses the passage for a method's return type. */
final class Passages {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", Passages.class.getClassLoader());

    private final Passage blocking;
    private final Passage stages;
    private final Door door;
    private final BeanFactory beans;

    Passages(Door door, Executor executor, BeanFactory beans) {
        this.door = door;
        this.beans = beans;
        this.blocking = new BlockingPassage(door);
        this.stages = new StagePassage(door, executor);
    }

    /** Of a method of this class, which may say what the method's declaration leaves open. */
    Passage of(Method method, Class<?> targetClass) {
        Passage reactor = REACTOR ? ReactorAdapter.of(method, targetClass, door) : null;
        if (reactor != null) {
            return reactor;
        }
        boolean stage = StagePassage.carries(GenericTypeResolver.resolveReturnType(method, targetClass));
        return stage && !isAsync(method, targetClass) ? stages : blocking;
    }

    /**
     * Whether Spring runs it on a thread of its own, which waits for the stage. Were the stage to go on by the same executor, all
     * of its threads could wait for what none of them has time for.
     */
    private boolean isAsync(Method method, Class<?> targetClass) {
        return beans.containsBean(TaskManagementConfigUtils.ASYNC_ANNOTATION_PROCESSOR_BEAN_NAME)
                && (saysAsync(method) || saysAsync(ClassUtils.getUserClass(targetClass)));
    }

    private static boolean saysAsync(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class);
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
