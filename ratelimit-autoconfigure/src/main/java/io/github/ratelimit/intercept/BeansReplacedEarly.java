/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Refuses objects that a {@link BeanPostProcessor} puts in the place of limited beans ahead of the gate: a delegate or a
 * proxy that is no subclass has none of the limits of the class behind it, and who makes the container's proxies never sees
 * that class.
 */
public final class BeansReplacedEarly implements BeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<RateLimitAdvisor> gate;

    /** With the context, and what stands before limited methods, fetched when some bean was replaced. */
    public BeansReplacedEarly(ConfigurableListableBeanFactory beans, Supplier<RateLimitAdvisor> gate) {
        this.beans = beans;
        this.gate = gate;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Class<?> made = made(name);
        if (made != null && !made.isInstance(bean) && !BeanClasses.isNull(bean)) {
            check(bean, name, ClassUtils.getUserClass(made));
        }
        return bean;
    }

    /** What the definition was made into; a factory has its name in common with what it makes. */
    private @Nullable Class<?> made(String name) {
        if (!beans.containsBeanDefinition(name)
                || !(beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)) {
            return null;
        }
        Class<?> type = definition.getTargetType();
        return type == null || FactoryBean.class.isAssignableFrom(type) ? null : type;
    }

    private void check(Object bean, String name, Class<?> type) {
        if (gate.get().hasSeen(type) || !AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
            return;
        }
        for (Method method : Methods.readableOf(type)) {
            AnnotatedPlace place = AnnotatedPlace.of(method, type);
            if (place != null && !place.written().getDeclaringClass().isInstance(bean)) {
                throw mistake(place, name);
            }
        }
    }

    private static InvalidAnnotationException mistake(AnnotatedPlace place, String name) {
        return new InvalidAnnotationException(
                place.describe(),
                "@RateLimited",
                name,
                "is on a class that a BeanPostProcessor has put another object in the place of, bean '" + name
                        + "', before there could be a gate: it would go unlimited",
                "State the limit on the interface, or let the BeanPostProcessor act in postProcessAfterInitialization and"
                        + " not be PriorityOrdered.");
    }
}
