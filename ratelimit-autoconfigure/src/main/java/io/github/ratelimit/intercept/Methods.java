/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The methods of a bean's class. */
final class Methods {

    private static final Logger LOG = LoggerFactory.getLogger(Methods.class);

    private Methods() {}

    /** What the class declares, inherits, or, as an interface or the JDK's proxy, stands for. */
    static List<Method> of(Class<?> type) {
        List<Method> all = new ArrayList<>();
        if (type.isInterface() || Proxy.isProxyClass(type)) {
            for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
                all.addAll(List.of(implemented.getMethods()));
            }
        } else {
            all.addAll(List.of(ReflectionUtils.getAllDeclaredMethods(type)));
        }
        all.removeIf(method -> method.getDeclaringClass() == Object.class || method.isBridge() || method.isSynthetic());
        return all;
    }

    /** The same; none where the class misses another one that it uses. */
    static List<Method> readableOf(Class<?> type) {
        return readable(type, Methods::of);
    }

    /** Private and static methods of its interfaces, which it does not inherit; none where these miss a class that they use. */
    static List<Method> readableOfInterfacesAlone(Class<?> type) {
        return readable(type, Methods::ofInterfacesAlone);
    }

    private static List<Method> ofInterfacesAlone(Class<?> type) {
        return interfacesOf(type)
                .distinct()
                .flatMap(implemented -> Arrays.stream(ReflectionUtils.getDeclaredMethods(implemented)))
                .filter(method -> (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) != 0)
                .toList();
    }

    /** Those of its superclasses, and those that interfaces extend, too. */
    private static Stream<Class<?>> interfacesOf(Class<?> type) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .flatMap(implemented -> Stream.concat(
                        Stream.of(implemented),
                        Arrays.stream(implemented.getInterfaces()).flatMap(Methods::interfacesOf)));
    }

    private static List<Method> readable(Class<?> type, Function<Class<?>, List<Method>> methods) {
        try {
            return methods.apply(type);
        } catch (IllegalStateException | LinkageError e) {
            LOG.debug("{} misses a class it uses; it is not looked at for limits", type, e);
            return List.of();
        }
    }
}
