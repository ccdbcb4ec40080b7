/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** What a native image has to know of fallbacks: the methods, which are called by reflection. */
public final class FallbackHints implements BeanRegistrationAotProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(FallbackHints.class);

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        if (!AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
            return null;
        }
        Set<Method> called = called(type, bean.getBeanFactory());
        return called.isEmpty()
                ? null
                : (context, code) -> called.forEach(
                        method -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE));
    }

    private static Set<Method> called(Class<?> type, ConfigurableListableBeanFactory beans) {
        FallbackFinder finder = new FallbackFinder(beans);
        Statements statements = new Statements(text -> {
            String resolved = beans.resolveEmbeddedValue(text);
            return resolved == null ? text : resolved;
        });
        Set<Method> called = new LinkedHashSet<>();
        for (Method method : Methods.readableOf(type)) {
            try {
                AnnotatedPlace place = AnnotatedPlace.of(method, type);
                if (place != null) {
                    addCalled(place, type, finder, statements, called);
                }
            } catch (InvalidAnnotationException mistake) {
                LOG.debug("The start will tell what is wrong with {}", method, mistake);
            }
        }
        return called;
    }

    private static void addCalled(
            AnnotatedPlace place, Class<?> type, FallbackFinder finder, Statements statements, Set<Method> called) {
        for (RateLimited annotation : place.annotations()) {
            Fallback fallback = finder.find(statements.fallback(annotation, place), place, type);
            if (fallback != null) {
                called.add(fallback.method());
            }
        }
    }
}
