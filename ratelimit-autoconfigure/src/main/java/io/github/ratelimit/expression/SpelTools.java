/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.spel.support.ReflectiveConstructorResolver;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.expression.spel.support.StandardOperatorOverloader;
import org.springframework.expression.spel.support.StandardTypeComparator;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.expression.spel.support.StandardTypeLocator;
import org.springframework.util.ClassUtils;

/** What SpEL asks of a context and keeps caches in, shared by all calls of all expressions. */
final class SpelTools {

    final List<PropertyAccessor> propertyAccessors =
            List.of(new MapEntryAccessor(), new ReflectivePropertyAccessor(false));
    final List<MethodResolver> methodResolvers = List.of(new RememberingMethodResolver());
    final List<ConstructorResolver> constructorResolvers = List.of(new ReflectiveConstructorResolver());
    final TypeLocator typeLocator;
    final TypeConverter typeConverter = new StandardTypeConverter();
    final TypeComparator typeComparator = new StandardTypeComparator();
    final OperatorOverloader operatorOverloader = new StandardOperatorOverloader();
    final @Nullable BeanResolver beanResolver;

    SpelTools(@Nullable BeanFactory beans) {
        this.beanResolver = beans == null ? null : new BeanFactoryResolver(beans);
        this.typeLocator = new StandardTypeLocator(ClassUtils.getDefaultClassLoader());
    }
}
