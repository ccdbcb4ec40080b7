/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.tuning.LimitCatalog;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Goes through all beans before the application is ready: a limit that cannot work stops the start, and one line per
 * limited method says what holds.
 */
public final class LimitedBeans implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LimitedBeans.class);

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<LimitedMethods> methods;
    private final LimitCatalog catalog;
    private final @Nullable RateLimitAdvisor advisor;

    /** The beans of a context, with the advisor that stands before them; without one limiting is off. */
    public LimitedBeans(
            ConfigurableListableBeanFactory beans,
            Supplier<LimitedMethods> methods,
            LimitCatalog catalog,
            @Nullable RateLimitAdvisor advisor) {
        this.beans = beans;
        this.methods = methods;
        this.catalog = catalog;
        this.advisor = advisor;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (advisor != null) {
            check(methods.get(), advisor);
        }
    }

    private void check(LimitedMethods methods, RateLimitAdvisor advisor) {
        Map<String, LimitedMethod> limited = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = targetClass(name);
            if (type != null && AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
                List<Method> candidates = methodsOf(type, name);
                Unreachable.check(candidates, type, beans.getType(name));
                for (Method method : candidates) {
                    LimitedMethod found = methods.of(method, type);
                    if (found != null) {
                        checkProxied(name, type, found, advisor);
                        limited.putIfAbsent(found.describe(), found);
                    }
                }
            }
        }
        catalog.check();
        for (LimitedMethod method : limited.values()) {
            methods.checkCost(method);
            LOG.info("{}", methods.describe(method));
        }
    }

    /** The class behind the bean; none for a scoped proxy, whose target is a bean of its own. */
    private @Nullable Class<?> targetClass(String name) {
        try {
            Class<?> exposed = beans.getType(name);
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            boolean stand = exposed != null && ScopedObject.class.isAssignableFrom(exposed);
            return type == null || stand ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException e) {
            LOG.debug("The class of bean '{}' cannot be told; it is not looked at for limits", name, e);
            return null;
        }
    }

    private static List<Method> methodsOf(Class<?> type, String name) {
        try {
            return Methods.of(type);
        } catch (IllegalStateException | LinkageError e) {
            LOG.debug("Class {} of bean '{}' misses a class it uses; it is not looked at for limits", type, name, e);
            return List.of();
        }
    }

    /** Whether the bean is an object of the class itself; what stands for it is of another class. */
    private boolean isBare(String name, Class<?> type) {
        Object bean = beans.getSingleton(name);
        return bean != null && bean.getClass() == type && !Proxy.isProxyClass(type);
    }

    /** A bean that was made too early, or handed in ready-made, has no proxy. */
    private void checkProxied(String name, Class<?> type, LimitedMethod method, RateLimitAdvisor advisor) {
        if (beans.containsSingleton(name)
                && !beans.isFactoryBean(name)
                && (!advisor.hasSeen(type) || isBare(name, type))) {
            throw new InvalidAnnotationException(
                    method.stated(),
                    "@RateLimited",
                    name,
                    "is on bean '" + name + "', which was made before there was a gate to put before it: it would go"
                            + " unlimited",
                    "Let the container make the bean, and let nothing need it that the container itself is built from,"
                            + " such as a BeanFactoryPostProcessor.");
        }
    }
}
