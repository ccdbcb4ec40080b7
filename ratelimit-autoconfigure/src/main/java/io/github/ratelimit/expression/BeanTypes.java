/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;

/** The types of beans that show all of a bean's methods, without making one. */
final class BeanTypes {

    private final @Nullable BeanFactory beans;

    BeanTypes(@Nullable BeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The type of the bean, where no method can be missing in it: the bean is there already, or its class is final. Null
     * for what a factory makes, for interfaces and for their proxies.
     */
    @Nullable
    Class<?> of(String name) {
        if (beans == null) {
            return null;
        }
        try {
            Class<?> type = isMadeByAnother(beans, name) ? null : beans.getType(name, false);
            if (type == null || type.isInterface() || Proxy.isProxyClass(type)) {
                return null;
            }
            return Modifier.isFinal(type.getModifiers()) || isThere(beans, name) ? type : null;
        } catch (BeansException e) {
            return null; // the call will tell
        }
    }

    private static boolean isMadeByAnother(BeanFactory beans, String name) {
        return !(beans instanceof ConfigurableBeanFactory factory) || factory.isFactoryBean(name);
    }

    private static boolean isThere(BeanFactory beans, String name) {
        return beans instanceof SingletonBeanRegistry made
                && Stream.concat(Stream.of(name), Stream.of(beans.getAliases(name)))
                        .anyMatch(made::containsSingleton);
    }
}
