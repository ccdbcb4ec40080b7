/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Finds the members that SpEL would find, by the declared type instead of each call's object. */
final class Members {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType READ = MethodType.methodType(Object.class, Object.class);

    private Members() {}

    /** A member as a handle {@code (Object) → Object}, and the declared type of what it gives. */
    record Member(MethodHandle handle, Class<?> type) {}

    /** Whether no object of this type can have members that the type does not show. */
    static boolean showsAll(Class<?> type) {
        return Modifier.isFinal(type.getModifiers()) && !hasMembersOfItsOwn(type);
    }

    /** Whether SpEL treats members of this type in a way of its own: entries of maps, statics of classes, optionals. */
    static boolean hasMembersOfItsOwn(Class<?> type) {
        return Map.class.isAssignableFrom(type) || type == Class.class || type == Optional.class;
    }

    /** A property: getter, record accessor, public field, length of an array; null when the type shows none. */
    static @Nullable Member property(Class<?> type, String name) {
        if (hasMembersOfItsOwn(type)) {
            return null;
        }
        if (type.isArray()) {
            return name.equals("length")
                    ? new Member(MethodHandles.arrayLength(type).asType(READ), int.class)
                    : null;
        }
        java.lang.reflect.Member reader = reader(type, name);
        if (reader instanceof Method getter) {
            return handleOf(getter);
        }
        return reader instanceof Field field ? handleOf(field) : null;
    }

    /** The getter, record accessor or public field of a property; null when the type shows none. */
    static java.lang.reflect.@Nullable Member reader(Class<?> type, String name) {
        if (hasMembersOfItsOwn(type)) {
            return null;
        }
        Method getter = getter(ClassUtils.resolvePrimitiveIfNecessary(type), name);
        if (getter != null) {
            return getter;
        }
        try {
            Field field = type.getField(name);
            return Modifier.isStatic(field.getModifiers()) ? null : field;
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    /** Whether SpEL may find a property of this name, the statics of the type among them. */
    static boolean mayRead(Class<?> type, String name) {
        return (type.isArray() && name.equals("length"))
                || Stream.of(type.getFields()).anyMatch(field -> field.getName().equals(name))
                || Stream.of(
                                "get" + name,
                                "get" + StringUtils.capitalize(name),
                                "is" + StringUtils.capitalize(name),
                                name)
                        .flatMap(getter -> named(type, getter))
                        .anyMatch(method -> method.getParameterCount() == 0);
    }

    /** The public methods of this name that SpEL finds in an object of the type. */
    static Stream<Method> named(Class<?> type, String name) {
        Stream<Method> own =
                Stream.of(ClassUtils.resolvePrimitiveIfNecessary(type).getMethods());
        Stream<Method> all = type.isInterface() ? Stream.concat(own, Stream.of(Object.class.getMethods())) : own;
        return all.filter(method -> method.getName().equals(name));
    }

    /** The same in the type itself, {@code T(…)}: its static methods, and those of every class. */
    static Stream<Method> ofLiteral(Class<?> type, String name) {
        return Stream.concat(
                named(type, name).filter(method -> Modifier.isStatic(method.getModifiers())), named(Class.class, name));
    }

    /** Whether a method takes so many arguments. */
    static boolean takes(Method method, int arguments) {
        int parameters = method.getParameterCount();
        return method.isVarArgs() ? arguments >= parameters - 1 : arguments == parameters;
    }

    /** The declared type of what a method or field gives. */
    static Class<?> typeOf(java.lang.reflect.Member member) {
        return member instanceof Method method ? method.getReturnType() : ((Field) member).getType();
    }

    /** A public method and the values it is called with; null when the type has none that takes exactly these. */
    static @Nullable Member method(Class<?> type, String name, Object... arguments) {
        if (hasMembersOfItsOwn(type)) {
            return null;
        }
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = arguments[i].getClass();
        }
        Method method = find(ClassUtils.resolvePrimitiveIfNecessary(type), name, types);
        return method == null ? null : handleOf(method, arguments);
    }

    private static @Nullable Method getter(Class<?> type, String name) {
        String suffix =
                name.length() > 1 && Character.isUpperCase(name.charAt(1)) ? name : StringUtils.capitalize(name);
        Method getter = find(type, "get" + suffix);
        if (getter == null) {
            Method is = find(type, "is" + suffix);
            getter = is != null && ClassUtils.resolvePrimitiveIfNecessary(is.getReturnType()) == Boolean.class
                    ? is
                    : null;
        }
        return getter != null ? getter : find(type, name);
    }

    private static @Nullable Method find(Class<?> type, String name, Class<?>... parameters) {
        Method method = ClassUtils.getMethodIfAvailable(type, name, parameters);
        if (method == null && type.isInterface()) {
            method = ClassUtils.getMethodIfAvailable(Object.class, name, parameters);
        }
        boolean usable =
                method != null && !Modifier.isStatic(method.getModifiers()) && method.getReturnType() != void.class;
        return usable ? method : null;
    }

    private static @Nullable Member handleOf(Method method, Object... arguments) {
        MethodHandle handle = unreflected(method);
        return handle == null
                ? null
                : new Member(MethodHandles.insertArguments(handle, 1, arguments).asType(READ), method.getReturnType());
    }

    /** A public method as a handle; null when its module keeps it from us. */
    static @Nullable MethodHandle unreflected(Method method) {
        try {
            return opened(method, method.getDeclaringClass()) ? LOOKUP.unreflect(method) : null;
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    private static @Nullable Member handleOf(Field field) {
        if (!opened(field, field.getDeclaringClass())) {
            return null;
        }
        try {
            return new Member(LOOKUP.unreflectGetter(field).asType(READ), field.getType());
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    /** Public members of classes that are not public need to be opened, as SpEL does; not all modules allow it. */
    private static <T extends AccessibleObject> boolean opened(T member, Class<?> declaring) {
        if (Modifier.isPublic(declaring.getModifiers())) {
            return true;
        }
        try {
            member.setAccessible(true);
            return true;
        } catch (InaccessibleObjectException | SecurityException e) {
            return false;
        }
    }
}
