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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Goes through all beans before the application is ready: a limit that cannot work stops the start, and one line per
 * limited method says what holds. A class that only the making of a bean tells (a factory or a {@code @Bean} method that
 * promises an interface) is gone through then: the bean is not made if a limit on it cannot work.
 */
public final class LimitedBeans implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LimitedBeans.class);

    /** Where a test has replaced beans, by {@code @MockitoBean}, {@code @TestBean} or their like, Spring has this one as well. */
    private static final String OVERRIDES_OF_TESTS =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final BeanClasses classes;
    private final Supplier<LimitedMethods> methods;
    private final LimitCatalog catalog;
    private final @Nullable RateLimitAdvisor advisor;
    private final Runnable afterLate;
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * The beans of a context.
     *
     * @param beans the context
     * @param methods works out what is limited
     * @param catalog the limits
     * @param advisor stands before limited beans; {@code null}: limiting is off
     * @param afterLate run once a bean has brought limits after the start
     */
    public LimitedBeans(
            ConfigurableListableBeanFactory beans,
            Supplier<LimitedMethods> methods,
            LimitCatalog catalog,
            @Nullable RateLimitAdvisor advisor,
            Runnable afterLate) {
        this.beans = beans;
        this.classes = new BeanClasses(beans);
        this.methods = methods;
        this.catalog = catalog;
        this.advisor = advisor;
        this.afterLate = afterLate;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (advisor != null) {
            check(advisor);
            advisor.tellOfEachBean(this::checkMade);
        }
    }

    private void check(RateLimitAdvisor advisor) {
        List<LimitedMethod> limited = new ArrayList<>();
        for (String name : classes.names()) {
            Class<?> type = classes.of(name);
            if (type != null) {
                List<LimitedMethod> found = limitsOf(type, classes.isSubclassed(type, beans.getType(name)));
                if (found.isEmpty() || !isUnguarded(name, type, advisor)) {
                    limited.addAll(found);
                } else {
                    checkReplacedByTest(name, found.get(0));
                }
                checked.add(type);
            }
        }
        catalog.check();
        limited.forEach(this::tell);
        if (catalog.onlyWatches()) {
            LOG.warn("Every limit only watches: nothing is denied, since ratelimit.shadow is true.");
        }
    }

    /** A bean of this class is being made. */
    private void checkMade(Class<?> type) {
        if (!checked.contains(type)) {
            List<LimitedMethod> late = limitsOf(type, classes.isSubclassed(type, null));
            late.forEach(this::tell);
            checked.add(type);
            if (!late.isEmpty()) {
                afterLate.run();
            }
        }
    }

    private List<LimitedMethod> limitsOf(Class<?> type, boolean subclassed) {
        List<LimitedMethod> limited = new ArrayList<>();
        if (AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
            List<Method> all = Methods.readableOf(type);
            for (Method method : Unreachable.reachable(all, type, subclassed)) {
                LimitedMethod found = methods.get().of(method, type);
                if (found != null) {
                    limited.add(found);
                }
            }
            if (limited.isEmpty()) {
                Unreachable.checkPublic(all, type);
            }
            Unreachable.checkOfInterfaces(Methods.readableOfInterfacesAlone(type));
        }
        return limited;
    }

    private void tell(LimitedMethod method) {
        methods.get().check(method);
        if (told.add(method.describe())) {
            LOG.info("{}", methods.get().describe(method));
        }
    }

    /** What a test puts in the place of a bean, a mock say, is meant to be as the test has it. */
    private void checkReplacedByTest(String name, LimitedMethod method) {
        String bean = BeanFactoryUtils.transformedBeanName(name);
        if (beans.containsLocalBean(OVERRIDES_OF_TESTS) && beans.containsBeanDefinition(bean)) {
            LOG.info("Bean '{}' is not limited: it stands in for another one in this test.", bean);
            return;
        }
        throw new InvalidAnnotationException(
                method.stated(),
                "@RateLimited",
                bean,
                "is on bean '" + bean + "', which was made before there was a gate to put before it: it would go"
                        + " unlimited",
                "Let the container make the bean, and let nothing need it that the container itself is built from,"
                        + " such as a BeanFactoryPostProcessor.");
    }

    /** What was made too early, or handed in ready-made, has no proxy. */
    private boolean isUnguarded(String name, Class<?> type, RateLimitAdvisor advisor) {
        Object bean = beans.getSingleton(BeanFactoryUtils.transformedBeanName(name));
        if (bean == null || BeanClasses.isNull(bean)) {
            return false;
        }
        if (!classes.makes(name)) {
            return !advisor.hasSeen(type) || (bean.getClass() == type && !Proxy.isProxyClass(type));
        }
        boolean early = !advisor.hasSeen(AopProxyUtils.ultimateTargetClass(bean));
        return early && beans.isSingleton(name) && !hasGate(beans.getBean(name), advisor);
    }

    private static boolean hasGate(Object bean, RateLimitAdvisor advisor) {
        return bean instanceof Advised advised
                ? Arrays.asList(advised.getAdvisors()).contains(advisor)
                : bean instanceof SpringProxy;
    }
}
