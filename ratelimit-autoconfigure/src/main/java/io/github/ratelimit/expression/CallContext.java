/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/** One call as SpEL sees it: no root, the variables the expression mentions, everything else shared. */
final class CallContext implements EvaluationContext {

    private final SpelTools tools;
    private final Variables variables;
    private final @Nullable Object[] arguments;
    private final @Nullable Caller caller;

    CallContext(SpelTools tools, Variables variables, @Nullable Object[] arguments, @Nullable Caller caller) {
        this.tools = tools;
        this.variables = variables;
        this.arguments = arguments;
        this.caller = caller;
    }

    /** The variables an expression mentions; looked for one after the other, there are one or two. */
    record Variables(List<String> names, List<Operand> values) {

        Variables {
            names = List.copyOf(names);
            values = List.copyOf(values);
        }
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        for (int i = 0; i < variables.names.size(); i++) {
            if (name.equals(variables.names.get(i))) {
                return variables.values.get(i).of(arguments, caller);
            }
        }
        return null;
    }

    @Override
    public void setVariable(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("Expressions only read");
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    @Override
    public TypedValue getRootObject() {
        return TypedValue.NULL;
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return tools.propertyAccessors;
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return tools.methodResolvers;
    }

    @Override
    public List<ConstructorResolver> getConstructorResolvers() {
        return tools.constructorResolvers;
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return tools.beanResolver;
    }

    @Override
    public TypeLocator getTypeLocator() {
        return tools.typeLocator;
    }

    @Override
    public TypeConverter getTypeConverter() {
        return tools.typeConverter;
    }

    @Override
    public TypeComparator getTypeComparator() {
        return tools.typeComparator;
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return tools.operatorOverloader;
    }
}
