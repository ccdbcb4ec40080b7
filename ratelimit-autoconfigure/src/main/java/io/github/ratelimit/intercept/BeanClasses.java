/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The classes of an application's beans, as far as they can be told without making a bean. */
final class BeanClasses {

    private static final Logger LOG = LoggerFactory.getLogger(BeanClasses.class);

    private final ConfigurableListableBeanFactory beans;

    BeanClasses(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** The names of all beans; a factory ({@code &name}) is a bean besides the one that it makes. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            names.add(name);
            if (makes(name)) {
                names.add(BeanFactory.FACTORY_BEAN_PREFIX + name);
            }
        }
        return names;
    }

    /** Whether the bean of this name is made by another one, a factory. */
    boolean makes(String name) {
        return !BeanFactoryUtils.isFactoryDereference(name) && beans.isFactoryBean(name);
    }

    /** What Spring keeps of a {@code @Bean} method that returned {@code null}: it is of no such class, and equals {@code null}. */
    static boolean isNull(Object bean) {
        return Objects.equals(bean, null);
    }

    /** The class behind the bean; none for a scoped proxy, whose target is a bean of its own. */
    @Nullable
    Class<?> of(String name) {
        try {
            Class<?> exposed = beans.getType(name);
            Class<?> type = BeanFactoryUtils.isFactoryDereference(name) ? ofFactory(name) : ofBean(name, exposed);
            boolean stand = exposed != null && ScopedObject.class.isAssignableFrom(exposed);
            return type == null || stand ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException e) {
            LOG.debug("The class of bean '{}' cannot be told; it is not looked at for limits", name, e);
            return null;
        }
    }

    private @Nullable Class<?> ofFactory(String name) {
        Object factory = beans.getSingleton(BeanFactoryUtils.transformedBeanName(name));
        return factory == null ? beans.getType(name) : AopProxyUtils.ultimateTargetClass(factory);
    }

    /** Spring notes the class behind a proxy by the bean's name, which a factory and what it makes have in common. */
    private @Nullable Class<?> ofBean(String name, @Nullable Class<?> exposed) {
        Class<?> noted = AutoProxyUtils.determineTargetClass(beans, name);
        return noted != null && FactoryBean.class.isAssignableFrom(noted) && makes(name) ? exposed : noted;
    }

    /** Whether the proxy of a bean is, or would be, a subclass of its class. */
    boolean isSubclassed(Class<?> type, @Nullable Class<?> exposed) {
        if (type.isInterface() || Proxy.isProxyClass(type) || (exposed != null && Proxy.isProxyClass(exposed))) {
            return false;
        }
        return areSubclassed() || ClassUtils.getAllInterfacesForClass(type).length == 0;
    }

    private boolean areSubclassed() {
        String maker = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
        return !(beans.getSingleton(maker) instanceof ProxyConfig config) || config.isProxyTargetClass();
    }
}
