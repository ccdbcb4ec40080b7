/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.InvalidAnnotationException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Refuses beans that are proxies of interfaces already when the container gets them, and hide a class with limits: who
 * makes the container's proxies sees their interfaces only.
 */
public final class ReadyMadeProxies implements BeanPostProcessor {

    private final Supplier<RateLimitAdvisor> gate;

    /** With what stands before limited methods, fetched when there is such a bean. */
    public ReadyMadeProxies(Supplier<RateLimitAdvisor> gate) {
        this.gate = gate;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Advised && Proxy.isProxyClass(bean.getClass())) {
            check(bean, name, gate.get());
        }
        return bean;
    }

    private static void check(Object bean, String name, RateLimitAdvisor gate) {
        List<Advised> proxies = new ArrayList<>();
        Object behind = bean;
        while (behind instanceof Advised advised) {
            proxies.add(advised);
            behind = AopProxyUtils.getSingletonTarget(behind);
        }
        if (behind == null || !gate.getClassFilter().matches(behind.getClass())) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(behind);
        for (Method method : Methods.of(bean.getClass())) {
            AnnotatedPlace place = AnnotatedPlace.of(method, type);
            if (place != null && proxies.stream().noneMatch(proxy -> isGuarded(proxy, method))) {
                throw mistake(place, name);
            }
        }
    }

    /** By a gate of this context or of another one. */
    private static boolean isGuarded(Advised proxy, Method method) {
        Class<?> target = proxy.getTargetClass();
        for (Advisor advisor : proxy.getAdvisors()) {
            if (advisor instanceof RateLimitAdvisor gate) {
                return target != null && gate.matches(method, target);
            }
        }
        return false;
    }

    private static InvalidAnnotationException mistake(AnnotatedPlace place, String name) {
        return new InvalidAnnotationException(
                place.describe(),
                "@RateLimited",
                name,
                "is on a class that bean '" + name
                        + "' hides behind a proxy of its interfaces, made by the application: it"
                        + " would go unlimited",
                "State the limit on the interface, let the container make a bean of the class, or make the proxy one of"
                        + " the class (proxyTargetClass).");
    }
}
