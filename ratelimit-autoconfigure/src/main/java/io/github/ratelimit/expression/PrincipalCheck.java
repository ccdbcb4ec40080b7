/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.Set;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;

/** Whether an expression may ask for the caller's principal: it does, unless each {@code #caller} is asked for something else. */
final class PrincipalCheck {

    private static final Set<String> OTHERS = Set.of("address", "header", "path", "method");

    private PrincipalCheck() {}

    static boolean asks(SpelNode node) {
        boolean other = node instanceof CompoundExpression && isCaller(node.getChild(0)) && isOther(node.getChild(1));
        for (int i = other ? 1 : 0; i < node.getChildCount(); i++) {
            if (asks(node.getChild(i))) {
                return true;
            }
        }
        return isCaller(node);
    }

    private static boolean isCaller(SpelNode node) {
        return node instanceof VariableReference && node.toStringAST().equals("#" + Scope.CALLER);
    }

    private static boolean isOther(SpelNode member) {
        return (member instanceof PropertyOrFieldReference property && OTHERS.contains(property.getName()))
                || (member instanceof MethodReference method && OTHERS.contains(method.getName()));
    }
}
