/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import io.github.ratelimit.InvalidExpressionException;
import io.github.ratelimit.expression.Site.Attribute;
import java.lang.reflect.Method;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * Makes expressions of what is written in annotations and rules, once, when the application starts.
 *
 * <p>Whoever can write an annotation or the configuration is trusted; what a caller sends is a value, and is never
 * parsed. All methods throw {@link InvalidExpressionException} for what cannot work.
 */
public final class CallExpressions {

    private final @Nullable BeanFactory beans;
    private final CallerSource callers;
    private final UnaryOperator<String> placeholders;
    private final SpelTools tools;

    /**
     * @param beans where {@code @name} looks; null: nowhere
     * @param callers finds {@code #caller} for calls that do not bring theirs
     * @param placeholders resolves <code>${…}</code>, and throws {@link IllegalArgumentException} when it cannot
     */
    public CallExpressions(@Nullable BeanFactory beans, CallerSource callers, UnaryOperator<String> placeholders) {
        this.beans = beans;
        this.callers = callers;
        this.placeholders = placeholders;
        this.tools = new SpelTools(beans);
    }

    /** The key of a method's calls; empty: one counter for everyone. */
    public KeyExpression key(String source, Method method) {
        return key(source, Scope.of(method));
    }

    /** The key of something that is no method, like a rule for paths: it sees the caller and the beans. */
    public KeyExpression key(String source, String place) {
        return key(source, Scope.of(place));
    }

    private KeyExpression key(String source, Scope scope) {
        Site site = site(source, Attribute.KEY, scope);
        if (site.source().isEmpty()) {
            return new KeyExpression(new Operand.Constant(""), site, "");
        }
        Operand operand = operand(site, scope);
        if (KeyText.neverFits(operand.type())) {
            throw site.mistake(
                    "is a %s, which has no text of its own: each instance would be another key"
                            .formatted(operand.type().getTypeName()),
                    "Write the property that says who is counted.");
        }
        if (!(operand instanceof Operand.Constant constant)) {
            return new KeyExpression(operand, site, null);
        }
        if (constant.value() == null || constant.value().toString().isBlank()) {
            throw site.mistake("is never anybody", "Leave it out for one counter for everyone.");
        }
        return new KeyExpression(operand, site, KeyText.of(constant.value(), site));
    }

    /** The cost of a method's calls. */
    public CostExpression cost(String source, Method method) {
        Scope scope = Scope.of(method);
        Site site = site(source, Attribute.COST, scope);
        String remedy = "Write a whole number of at least 0, or an expression that gives one, like #batch.size().";
        if (site.source().isEmpty()) {
            throw site.mistake("is empty", remedy);
        }
        Operand operand = operand(site, scope);
        if (operand instanceof Operand.Constant constant) {
            String problem = CostValue.problem(constant.value());
            if (problem != null) {
                throw site.mistake(problem, remedy);
            }
            return new CostExpression(operand, site, OptionalLong.of(CostExpression.exact(constant.value())));
        }
        if (!CostValue.mayBe(operand.type())) {
            throw site.mistake("is a %s".formatted(operand.type().getTypeName()), remedy);
        }
        return new CostExpression(operand, site, OptionalLong.empty());
    }

    /** Whether a method's calls are counted; empty: always. */
    public ConditionExpression condition(String source, Method method) {
        return condition(source, Scope.of(method));
    }

    /** Whether something is counted that is no method. */
    public ConditionExpression condition(String source, String place) {
        return condition(source, Scope.of(place));
    }

    private ConditionExpression condition(String source, Scope scope) {
        Site site = site(source, Attribute.CONDITION, scope);
        if (site.source().isEmpty()) {
            return new ConditionExpression(new Operand.Constant(true), site);
        }
        Operand operand = operand(site, scope);
        Class<?> type = operand.type();
        boolean constant = operand instanceof Operand.Constant;
        boolean never = type != boolean.class && type != Boolean.class && (constant || Members.showsAll(type));
        if (never) {
            throw site.mistake("is neither true nor false", "Write a comparison, or a boolean parameter or property.");
        }
        return new ConditionExpression(operand, site);
    }

    /** The plan of a method's calls; empty: none by this way. */
    public PlanExpression plan(String source, Method method) {
        Scope scope = Scope.of(method);
        Site site = site(source, Attribute.PLAN, scope);
        Operand operand = site.source().isEmpty() ? new Operand.Constant(null) : operand(site, scope);
        Class<?> type = operand.type();
        boolean never = Members.showsAll(type) && !CharSequence.class.isAssignableFrom(type) && !type.isEnum();
        if (never) {
            throw site.mistake(
                    "is a %s".formatted(type.getTypeName()),
                    "Write the name of a plan, 'in quotes', or what gives one.");
        }
        return new PlanExpression(operand, site);
    }

    private Site site(String source, Attribute attribute, Scope scope) {
        Site unresolved = new Site(scope.place(), attribute, source);
        try {
            return new Site(scope.place(), attribute, placeholders.apply(source).strip());
        } catch (IllegalArgumentException e) {
            throw unresolved.mistake(
                    "has a placeholder that cannot be resolved: " + e.getMessage(),
                    "Define the property, or give the placeholder a default: ${name:default}.",
                    e);
        }
    }

    private Operand operand(Site site, Scope scope) {
        return new Compilation(scope, site, callers, tools, beans).run();
    }
}
