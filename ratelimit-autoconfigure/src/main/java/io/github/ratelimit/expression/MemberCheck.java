/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import io.github.ratelimit.expression.CallContext.Variables;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ClassUtils;

/**
 * Follows what an expression reads and calls, as far as types are known at start: a member that cannot be there is a
 * mistake, wherever in the expression it stands. Where an object may have more members than its declared type, nothing is
 * said.
 */
final class MemberCheck {

    private final Scope scope;
    private final Site site;
    private final SpelTools tools;
    private final BeanTypes beans;

    MemberCheck(Scope scope, Site site, SpelTools tools, BeanTypes beans) {
        this.scope = scope;
        this.site = site;
        this.tools = tools;
        this.beans = beans;
    }

    /** What stands left of a dot: its type, and whether that shows all members; {@code literal}: the type itself. */
    private record Target(Class<?> type, boolean showsAll, boolean literal) {

        static Target of(Class<?> type) {
            return new Target(type, type == Caller.class || Members.showsAll(type), false);
        }
    }

    void check(SpelNode expression) {
        Class<?> type = walk(expression);
        if (type != null && LaterValues.include(type)) {
            throw site.mistake(
                    "is a %s, whose value is not there yet when the call is decided".formatted(type.getTypeName()),
                    "Write what gives the value at once.");
        }
    }

    /** The type of what this gives; null where that cannot be told. */
    private @Nullable Class<?> walk(SpelNode node) {
        Class<?> type = null;
        if (node instanceof TypeReference) {
            typeOf(node);
        } else if (node instanceof VariableReference) {
            type = scope.typeOf(node.toStringAST().substring(1));
        } else if (node instanceof CompoundExpression) {
            type = follow(node);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            walk(node.getChild(i));
        }
        return type;
    }

    private @Nullable Class<?> follow(SpelNode compound) {
        Target target = root(compound.getChild(0));
        for (int i = 1; target != null && i < compound.getChildCount(); i++) {
            Class<?> type = step(target, compound.getChild(i));
            target = type == null || type == void.class ? null : Target.of(type);
        }
        return target == null ? null : target.type;
    }

    private @Nullable Target root(SpelNode node) {
        if (node instanceof VariableReference) {
            Class<?> type = scope.typeOf(node.toStringAST().substring(1));
            return type == null ? null : Target.of(type);
        }
        if (node instanceof BeanReference) {
            Class<?> type = beans.of(ExpressionCheck.beanName(node));
            return type == null ? null : new Target(type, !Members.hasMembersOfItsOwn(type), false);
        }
        Class<?> literal = node instanceof TypeReference ? typeOf(node) : null;
        return literal == null ? null : new Target(literal, true, true);
    }

    /** The type of what this step gives; null where that cannot be told. */
    private @Nullable Class<?> step(Target target, SpelNode node) {
        if (node instanceof MethodReference call) {
            return method(target, call);
        }
        return node instanceof PropertyOrFieldReference property && !target.literal ? property(target, property) : null;
    }

    private @Nullable Class<?> property(Target target, PropertyOrFieldReference property) {
        if (target.showsAll && !Members.mayRead(target.type, property.getName())) {
            throw missing(target, property, "Write a public getter, record component, field or method of it.");
        }
        if (target.type.isArray()) {
            return null;
        }
        Member reader = Members.reader(target.type, property.getName());
        return reader == null ? null : Members.typeOf(reader);
    }

    private @Nullable Class<?> method(Target target, MethodReference call) {
        List<Method> meant = candidates(target, call.getName())
                .filter(method -> Members.takes(method, call.getChildCount()))
                .toList();
        if (meant.isEmpty() && target.showsAll) {
            throw missing(target, call, remedy(target, call));
        }
        return meant.stream()
                .filter(method -> !method.isBridge())
                .<Class<?>>map(Method::getReturnType)
                .reduce((one, other) -> one == other ? one : Object.class)
                .orElse(null);
    }

    private static Stream<Method> candidates(Target target, String name) {
        return target.literal ? Members.ofLiteral(target.type, name) : Members.named(target.type, name);
    }

    private static String remedy(Target target, MethodReference call) {
        String others = candidates(target, call.getName())
                .filter(method -> !method.isBridge())
                .map(MemberCheck::signature)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return others.isEmpty()
                ? "Write a public getter, record component, field or method of it."
                : "Write it with the arguments it takes: " + others + ".";
    }

    private static String signature(Method method) {
        return Stream.of(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    private RuntimeException missing(Target target, SpelNode member, String remedy) {
        return site.mistake(
                "reads '%s', which %s does not have"
                        .formatted(
                                member.toStringAST(),
                                ClassUtils.getUserClass(target.type).getTypeName()),
                remedy);
    }

    private @Nullable Class<?> typeOf(SpelNode literal) {
        try {
            CallContext nobody = new CallContext(tools, new Variables(List.of(), List.of()), new Object[0], null);
            return (Class<?>) literal.getValue(new ExpressionState(nobody));
        } catch (EvaluationException | IllegalArgumentException e) {
            throw site.mistake(
                    "names the type %s, and there is none of this name".formatted(literal.toStringAST()),
                    "Write the full name of a class of the application, like T(java.time.LocalDate).",
                    e);
        } catch (LinkageError e) {
            return null; // there, but something it needs is not: the call will tell, if it comes to that
        }
    }
}
