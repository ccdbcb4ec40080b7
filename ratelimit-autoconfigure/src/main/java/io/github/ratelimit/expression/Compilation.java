/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import io.github.ratelimit.expression.CallContext.Variables;
import io.github.ratelimit.expression.Members.Member;
import io.github.ratelimit.expression.PathOperand.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Makes an operand of one expression, the cheapest that gives what SpEL would give. */
final class Compilation {

    private final Scope scope;
    private final Site site;
    private final CallerSource callers;
    private final SpelTools tools;
    private final @Nullable BeanFactory beans;
    private final SpelParserConfiguration configuration;

    Compilation(Scope scope, Site site, CallerSource callers, SpelTools tools, @Nullable BeanFactory beans) {
        this.scope = scope;
        this.site = site;
        this.callers = callers;
        this.tools = tools;
        this.beans = beans;
        // Off: when to compile, and what to do with code that does not fit, is SpelOperand's to decide.
        this.configuration = new SpelParserConfiguration(SpelCompilerMode.OFF, scope.classLoader());
    }

    Operand run() {
        SpelNodeImpl ast = parsed();
        Set<String> names = new ExpressionCheck(scope, site, beans).variablesOf(ast);
        new MemberCheck(scope, site, tools, new BeanTypes(beans)).check(ast);
        if (PrincipalCheck.asks(ast)) {
            callers.principalAsked();
        }
        List<Operand> values = new ArrayList<>();
        names.forEach(name -> values.add(variable(name)));
        return operand(ast, new Variables(List.copyOf(names), values));
    }

    private SpelNodeImpl parsed() {
        try {
            return (SpelNodeImpl) new SpelExpressionParser(configuration)
                    .parseRaw(site.source())
                    .getAST();
        } catch (ParseException | IllegalStateException e) {
            String remedy = site.source().contains("#{")
                    ? "Write the expression without #{ }."
                    : "Variables are written #name, beans @name, text 'in quotes'.";
            throw site.mistake("cannot be parsed: " + e.getMessage(), remedy, e);
        }
    }

    private Operand operand(SpelNodeImpl node, Variables variables) {
        if (isConstant(node)) {
            return constant(node, variables);
        }
        Operand cheap = null;
        if (node instanceof VariableReference) {
            cheap = variable(name(node));
        } else if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference root) {
            cheap = path(variable(name(root)), node);
        } else if (node instanceof CompoundExpression && node.getChild(0) instanceof BeanReference) {
            cheap = beanCall(node, variables);
        } else if (node instanceof InlineList && site.attribute() == Site.Attribute.KEY) {
            cheap = new CompositeOperand(operands(node, variables));
        }
        return cheap != null ? cheap : spel(node, variables);
    }

    private Operand spel(SpelNodeImpl node, Variables variables) {
        return new SpelOperand(node, configuration, tools, variables, site);
    }

    private @Nullable Operand beanCall(SpelNodeImpl compound, Variables variables) {
        if (beans == null
                || compound.getChildCount() != 2
                || !(compound.getChild(1) instanceof MethodReference method)
                || method.isNullSafe()) {
            return null;
        }
        List<Operand> arguments = operands(method, variables);
        String bean = ExpressionCheck.beanName(compound.getChild(0));
        return new BeanCallOperand(beans, bean, method.getName(), arguments, spel(compound, variables), site);
    }

    private List<Operand> operands(SpelNode parent, Variables variables) {
        List<Operand> operands = new ArrayList<>();
        for (int i = 0; i < parent.getChildCount(); i++) {
            operands.add(operand((SpelNodeImpl) parent.getChild(i), variables));
        }
        return List.copyOf(operands);
    }

    private Operand variable(String name) {
        Scope.Parameter parameter = name.equals(Scope.CALLER) ? null : scope.find(name);
        return parameter == null
                ? new CallerOperand(callers, site)
                : new Operand.Argument(parameter.index(), parameter.type());
    }

    private static String name(SpelNode variable) {
        return variable.toStringAST().substring(1);
    }

    private @Nullable Operand path(Operand root, SpelNode compound) {
        List<Step> steps = new ArrayList<>();
        Class<?> type = root.type();
        for (int i = 1; i < compound.getChildCount(); i++) {
            SpelNodeImpl node = (SpelNodeImpl) compound.getChild(i);
            Member member = member(type, node);
            if (member == null) {
                return null;
            }
            steps.add(new Step(node.toStringAST(), isNullSafe(node), member.handle()));
            type = member.type();
        }
        return new PathOperand(root, steps, type, site);
    }

    private static @Nullable Member member(Class<?> type, SpelNodeImpl node) {
        if (node instanceof PropertyOrFieldReference property) {
            return Members.property(type, property.getName());
        }
        return node instanceof MethodReference method && onlyTexts(method)
                ? Members.method(type, method.getName(), texts(method))
                : null;
    }

    private static boolean isNullSafe(SpelNode node) {
        return (node instanceof PropertyOrFieldReference property && property.isNullSafe())
                || (node instanceof MethodReference method && method.isNullSafe());
    }

    private static boolean onlyTexts(SpelNode method) {
        for (int i = 0; i < method.getChildCount(); i++) {
            if (!(method.getChild(i) instanceof Literal literal
                    && literal.getLiteralValue().getValue() instanceof String)) {
                return false;
            }
        }
        return true;
    }

    private static Object[] texts(SpelNode method) {
        Object[] texts = new Object[method.getChildCount()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = String.valueOf(
                    ((Literal) method.getChild(i)).getLiteralValue().getValue());
        }
        return texts;
    }

    private static boolean isConstant(SpelNode node) {
        if (node instanceof Literal) {
            return true;
        }
        boolean constant = node instanceof Operator && node.getChildCount() > 0;
        for (int i = 0; constant && i < node.getChildCount(); i++) {
            constant = isConstant(node.getChild(i));
        }
        return constant;
    }

    private Operand constant(SpelNode node, Variables variables) {
        try {
            CallContext nobody = new CallContext(tools, variables, new Object[0], null);
            return new Operand.Constant(node.getValue(new ExpressionState(nobody, configuration)));
        } catch (EvaluationException | ArithmeticException e) {
            throw site.mistake("cannot be evaluated: " + e.getMessage(), "Write a value that can be worked out.", e);
        }
    }
}
