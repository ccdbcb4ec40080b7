/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/** Walks a parsed expression at start: everything it names must be there, and it only reads. */
final class ExpressionCheck {

    private final Scope scope;
    private final Site site;
    private final @Nullable BeanFactory beans;
    private final Set<String> variables = new LinkedHashSet<>();

    ExpressionCheck(Scope scope, Site site, @Nullable BeanFactory beans) {
        this.scope = scope;
        this.site = site;
        this.beans = beans;
    }

    /** Checks an expression and gives the variables it mentions. */
    Set<String> variablesOf(SpelNode expression) {
        walk(expression, false);
        return variables;
    }

    /**
     * @param inElement inside a selection or projection, where names without {@code #} belong to an element
     */
    private void walk(SpelNode node, boolean inElement) {
        if (node instanceof VariableReference) {
            variable(node.toStringAST().substring(1), inElement);
        } else if (node instanceof BeanReference) {
            bean(beanName(node));
        } else if (node instanceof FunctionReference) {
            throw site.mistake(
                    "calls a function, '%s', and there are none".formatted(node.toStringAST()),
                    "Call a method of a bean: @bean.method(…).");
        } else if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
            throw site.mistake("changes a value", "Expressions only read; a comparison is written ==.");
        } else if (node instanceof PropertyOrFieldReference && !inElement) {
            throw bare(node, "'%s' if it is meant as text".formatted(node.toStringAST()));
        } else if (node instanceof MethodReference && !inElement) {
            throw bare(node, "@bean.%s for a method of a bean".formatted(node.toStringAST()));
        } else {
            children(node, inElement);
        }
    }

    private void children(SpelNode node, boolean inElement) {
        boolean compound = node instanceof CompoundExpression;
        boolean named = node instanceof TypeReference || node instanceof ConstructorReference;
        boolean element = inElement || node instanceof Selection || node instanceof Projection;
        for (int i = named ? 1 : 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            boolean name = child instanceof PropertyOrFieldReference
                    && (node instanceof Indexer || (node instanceof InlineMap && i % 2 == 0));
            if (compound && i > 0) {
                children(child, element);
            } else if (!name) {
                walk(child, element);
            }
        }
    }

    private void variable(String name, boolean inElement) {
        if (name.equals("this") || name.equals("root")) {
            if (!inElement) {
                throw site.mistake(
                        "uses '#%s', which is there only inside .?[…] and .![…]".formatted(name), scope.remedy(name));
            }
        } else if (name.equals(Scope.CALLER)) {
            if (scope.hidesCaller()) {
                throw site.mistake(
                        "may mean the parameter 'caller' or the caller of the web request", scope.remedy(name));
            }
            variables.add(name);
        } else if (scope.find(name) == null) {
            throw site.mistake("uses the unknown variable '#%s'".formatted(name), scope.remedy());
        } else {
            variables.add(name);
        }
    }

    /** The name in {@code @name}, {@code @'na.me'} or, of a factory, {@code &name}. */
    static String beanName(SpelNode reference) {
        String text = reference.toStringAST();
        String name = text.startsWith("@") ? text.substring(1) : text;
        boolean quoted = name.startsWith("'") && name.endsWith("'");
        return quoted ? name.substring(1, name.length() - 1) : name;
    }

    private void bean(String name) {
        if (beans == null || !beans.containsBean(name)) {
            throw site.mistake(
                    "asks for the bean '%s', and there is none of this name".formatted(name),
                    "Declare it, or write the name of one that is declared.");
        }
    }

    private RuntimeException bare(SpelNode node, String otherwise) {
        String text = node.toStringAST();
        return site.mistake(
                "contains '%s', which belongs to nothing".formatted(text),
                "Write #name for a parameter, or %s. %s".formatted(otherwise, scope.remedy()));
    }
}
