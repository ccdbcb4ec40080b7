/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** What an expression may name: the parameters of its method. A rule for paths has none. */
final class Scope {

    /** The variable that every expression has. */
    static final String CALLER = "caller";

    /** What never means a parameter, whatever the parameters are called. */
    private static final Set<String> TAKEN = Set.of(CALLER, "root", "this");

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private final String place;
    private final @Nullable ClassLoader classLoader;
    private final List<Parameter> parameters;

    private Scope(String place, @Nullable ClassLoader classLoader, List<Parameter> parameters) {
        this.place = place;
        this.classLoader = classLoader;
        this.parameters = List.copyOf(parameters);
    }

    /** A parameter; nameless when the class was compiled without {@code -parameters}. */
    record Parameter(@Nullable String name, int index, Class<?> type) {

        /** How an expression names it: by its number where its name is not known, or means something else. */
        String variable() {
            return name == null || TAKEN.contains(name) ? "#p" + index : "#" + name;
        }
    }

    /** The scope of a method's annotation. */
    static Scope of(Method method) {
        return of(method, method);
    }

    /** The scope of a method's annotation, with the types that the parameters have in what implements the method. */
    static Scope of(Method method, Method implementation) {
        Class<?>[] types = method.getParameterTypes();
        @Nullable String[] names = NAMES.getParameterNames(method);
        List<Parameter> parameters = new ArrayList<>(types.length);
        StringJoiner signature = new StringJoiner(", ", "(", ")");
        for (int i = 0; i < types.length; i++) {
            if (types[i].getName().equals(CONTINUATION)) {
                continue;
            }
            String name = names != null && i < names.length ? names[i] : null;
            Class<?> type = ResolvableType.forMethodParameter(implementation, i).resolve(types[i]);
            parameters.add(new Parameter(name, i, type));
            signature.add(types[i].getSimpleName());
        }
        Class<?> owner = method.getDeclaringClass();
        return new Scope(owner.getName() + "." + method.getName() + signature, owner.getClassLoader(), parameters);
    }

    /** The scope of something that is no method. */
    static Scope of(String place) {
        return new Scope(place, ClassUtils.getDefaultClassLoader(), List.of());
    }

    String place() {
        return place;
    }

    /** The loader that sees what the expression speaks of. */
    @Nullable
    ClassLoader classLoader() {
        return classLoader != null ? classLoader : ClassUtils.getDefaultClassLoader();
    }

    /** The parameter of this name, else of this number: {@code p0}, {@code a0}. */
    @Nullable
    Parameter find(String variable) {
        for (Parameter parameter : parameters) {
            if (variable.equals(parameter.name())) {
                return parameter;
            }
        }
        for (Parameter parameter : parameters) {
            if (variable.equals("p" + parameter.index()) || variable.equals("a" + parameter.index())) {
                return parameter;
            }
        }
        return null;
    }

    /** The type of a variable; null for one that is there only inside a selection or projection. */
    @Nullable
    Class<?> typeOf(String variable) {
        if (variable.equals(CALLER)) {
            return Caller.class;
        }
        Parameter parameter = TAKEN.contains(variable) ? null : find(variable);
        return parameter == null ? null : parameter.type();
    }

    /** Whether a parameter has the name of the variable that every expression has. */
    boolean hidesCaller() {
        return parameters.stream().anyMatch(parameter -> CALLER.equals(parameter.name()));
    }

    /** The remedy for a variable that does not mean the parameter of its name: its number; else all variables there are. */
    String remedy(String variable) {
        Parameter parameter = find(variable);
        return parameter == null
                ? remedy()
                : "Write %s for the parameter, or give it another name.".formatted(parameter.variable());
    }

    /** The remedy for a variable that is not there: all that are. */
    String remedy() {
        if (parameters.isEmpty()) {
            return "There are no parameters; there is #caller, and beans as @name.";
        }
        StringJoiner known = new StringJoiner(", ");
        boolean nameless = false;
        for (Parameter parameter : parameters) {
            nameless |= parameter.name() == null;
            known.add(parameter.variable());
        }
        String remedy = "The parameters are %s; also #caller, and beans as @name.".formatted(known);
        return nameless ? remedy + " Names of parameters are known only to classes compiled with -parameters." : remedy;
    }
}
