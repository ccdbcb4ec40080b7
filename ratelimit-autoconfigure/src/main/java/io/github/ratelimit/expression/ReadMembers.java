/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The members that an expression reads by reflection, as far as declared types tell: what native images have to know. */
public final class ReadMembers {

    private final Scope scope;
    private final Function<String, @Nullable Class<?>> beans;
    private final Set<Member> found = new LinkedHashSet<>();

    private ReadMembers(Scope scope, Function<String, @Nullable Class<?>> beans) {
        this.scope = scope;
        this.beans = beans;
    }

    /**
     * Those of an expression of a limited method; none when it cannot be parsed, which the start will tell.
     *
     * @param method the method the expression is stated for, whose names it uses
     * @param implementation what implements the method, which knows the types better
     * @param beans the type of a bean by its name; null: there is none
     */
    public static Set<Member> of(
            String source, Method method, Method implementation, Function<String, @Nullable Class<?>> beans) {
        ReadMembers members = new ReadMembers(Scope.of(method, implementation), beans);
        if (!source.isEmpty()) {
            try {
                members.visit(new SpelExpressionParser().parseRaw(source).getAST());
            } catch (ParseException | IllegalStateException mistake) {
                return Set.of();
            }
        }
        return members.found;
    }

    private void visit(SpelNode node) {
        if (node instanceof CompoundExpression) {
            follow(node);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            visit(node.getChild(i));
        }
    }

    private void follow(SpelNode compound) {
        Class<?> type = root(compound.getChild(0));
        for (int i = 1; type != null && i < compound.getChildCount(); i++) {
            type = step(type, compound.getChild(i));
        }
    }

    private @Nullable Class<?> root(SpelNode node) {
        if (node instanceof BeanReference) {
            return beans.apply(ExpressionCheck.beanName(node));
        }
        if (!(node instanceof VariableReference)) {
            return null;
        }
        String name = node.toStringAST().substring(1);
        Scope.Parameter parameter = scope.find(name);
        if (parameter != null) {
            return parameter.type();
        }
        return name.equals(Scope.CALLER) ? Caller.class : null;
    }

    /** The type of what this step gives; null where that cannot be told. */
    private @Nullable Class<?> step(Class<?> type, SpelNode node) {
        if (node instanceof PropertyOrFieldReference property) {
            Member member = Members.reader(type, property.getName());
            if (member != null) {
                found.add(member);
            }
            return member == null ? null : Members.typeOf(member);
        }
        if (node instanceof MethodReference call) {
            Stream.of(type.getMethods())
                    .filter(method -> method.getName().equals(call.getName()))
                    .filter(method -> method.getParameterCount() == call.getChildCount() || method.isVarArgs())
                    .forEach(found::add);
            return Stream.of(type.getMethods())
                    .filter(method -> method.getName().equals(call.getName()) && !method.isBridge())
                    .<Class<?>>map(Method::getReturnType)
                    .reduce((one, other) -> one == other ? one : Object.class)
                    .orElse(null);
        }
        return null;
    }
}
