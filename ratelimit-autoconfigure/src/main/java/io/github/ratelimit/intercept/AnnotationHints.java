/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.expression.ReadMembers;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** What a native image has to know of annotations: fallbacks, and what expressions read, are called by reflection. */
public final class AnnotationHints implements BeanRegistrationAotProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(AnnotationHints.class);

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        if (!AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
            return null;
        }
        Set<Member> called = called(type, bean.getBeanFactory());
        return called.isEmpty()
                ? null
                : (context, code) -> called.forEach(
                        member -> register(member, context.getRuntimeHints().reflection()));
    }

    private static void register(Member member, ReflectionHints hints) {
        if (member instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
        } else if (member instanceof Field field) {
            hints.registerField(field);
        }
    }

    private static Set<Member> called(Class<?> type, ConfigurableListableBeanFactory beans) {
        FallbackFinder finder = new FallbackFinder(beans);
        Statements statements = new Statements(text -> {
            String resolved = beans.resolveEmbeddedValue(text);
            return resolved == null ? text : resolved;
        });
        Set<Member> called = new LinkedHashSet<>();
        for (Method method : Methods.readableOf(type)) {
            ifStatedWell(method, () -> {
                AnnotatedPlace place = AnnotatedPlace.of(method, type);
                if (place != null) {
                    addMembers(place, type, beans, finder, statements, called);
                }
            });
        }
        return called;
    }

    private static void addMembers(
            AnnotatedPlace place,
            Class<?> type,
            ConfigurableListableBeanFactory beans,
            FallbackFinder finder,
            Statements statements,
            Set<Member> called) {
        for (RateLimited annotation : place.annotations()) {
            ifStatedWell(place.method(), () -> addCalled(annotation, place, type, finder, statements, called));
            ifStatedWell(place.method(), () -> addRead(annotation, place, beans, statements, called));
        }
    }

    /** What cannot be told now, as where a placeholder has no value yet, takes nothing else along. */
    private static void ifStatedWell(Method method, Runnable step) {
        try {
            step.run();
        } catch (InvalidAnnotationException mistake) {
            LOG.debug("The start will tell what is wrong with {}", method, mistake);
        }
    }

    private static void addCalled(
            RateLimited annotation,
            AnnotatedPlace place,
            Class<?> type,
            FallbackFinder finder,
            Statements statements,
            Set<Member> called) {
        Fallback fallback = finder.find(statements.fallback(annotation, place), place, type);
        if (fallback != null) {
            called.add(fallback.method());
        }
    }

    private static void addRead(
            RateLimited annotation,
            AnnotatedPlace place,
            ConfigurableListableBeanFactory beans,
            Statements statements,
            Set<Member> called) {
        for (String expression : statements.expressions(annotation, place)) {
            called.addAll(ReadMembers.of(expression, place.written(), place.method(), name -> typeOf(name, beans)));
        }
    }

    private static @Nullable Class<?> typeOf(String bean, ConfigurableListableBeanFactory beans) {
        Class<?> type = beans.containsBean(bean) ? beans.getType(bean) : null;
        return type == null ? null : ClassUtils.getUserClass(type);
    }
}
