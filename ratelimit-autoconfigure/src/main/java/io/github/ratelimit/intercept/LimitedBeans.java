/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.tuning.LimitCatalog;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Goes through all beans before the application is ready: a limit that cannot work stops the start, and one line per
 * limited method says what holds.
 */
public final class LimitedBeans implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LimitedBeans.class);

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<LimitedMethods> methods;
    private final LimitCatalog catalog;
    private final boolean enabled;

    /** The beans of a context; looked at only where limiting is on. */
    public LimitedBeans(
            ConfigurableListableBeanFactory beans,
            Supplier<LimitedMethods> methods,
            LimitCatalog catalog,
            boolean enabled) {
        this.beans = beans;
        this.methods = methods;
        this.catalog = catalog;
        this.enabled = enabled;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (enabled) {
            check(methods.get());
        }
    }

    private void check(LimitedMethods methods) {
        Map<Method, LimitedMethod> limited = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : targetClass(name);
            if (type != null && AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
                limitedMethods(type, methods).forEach(method -> limited.putIfAbsent(method.method(), method));
            }
        }
        catalog.check();
        for (LimitedMethod method : limited.values()) {
            methods.checkCost(method);
            method.limits().forEach(limit -> LOG.info(methods.describe(method, limit)));
        }
    }

    private @Nullable Class<?> targetClass(String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException e) {
            LOG.debug("The class of bean '{}' cannot be told; it is not looked at for limits", name, e);
            return null;
        }
    }

    private List<LimitedMethod> limitedMethods(Class<?> type, LimitedMethods methods) {
        List<LimitedMethod> limited = new ArrayList<>();
        for (Method method : methodsOf(type)) {
            refuseWhatNoProxyReaches(method, type);
            LimitedMethod found = method.isBridge() || method.isSynthetic() ? null : methods.of(method, type);
            if (found != null) {
                limited.add(found);
            }
        }
        return limited;
    }

    private static List<Method> methodsOf(Class<?> type) {
        List<Method> all = new ArrayList<>(List.of(ReflectionUtils.getAllDeclaredMethods(type)));
        if (type.isInterface() || Proxy.isProxyClass(type)) {
            for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
                all.addAll(List.of(implemented.getMethods()));
            }
        }
        all.removeIf(method -> method.getDeclaringClass() == Object.class);
        return all;
    }

    /** Private and static methods are never called through a proxy, and a final one cannot be overridden by it. */
    private void refuseWhatNoProxyReaches(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        boolean stated = MergedAnnotations.from(method, SearchStrategy.DIRECT).isPresent(RateLimited.class);
        String what = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers)
                        ? "static"
                        : Modifier.isFinal(modifiers) && isProxiedByClass(type) ? "final" : null;
        boolean limited = stated || ("final".equals(what) && AnnotatedPlace.of(method, type) != null);
        if (what != null && limited) {
            throw new InvalidAnnotationException(
                    MethodText.of(method),
                    "@RateLimited",
                    method.getName(),
                    "is on a " + what + " method, which no proxy can stand before: it would go unlimited",
                    "Make the method public and not " + what + ", or move it to another bean.");
        }
    }

    private static boolean isProxiedByClass(Class<?> type) {
        return !type.isInterface() && !Proxy.isProxyClass(type);
    }
}
