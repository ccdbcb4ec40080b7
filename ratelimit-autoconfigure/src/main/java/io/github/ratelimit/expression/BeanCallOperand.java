/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;

/**
 * {@code @tenants.of(#id)}: a method of a bean.
 *
 * <p>Decided at the first call, when the bean, and so the class of its proxy, is known: a singleton with exactly one
 * method that can be meant is called directly. Everything else is SpEL's.
 */
final class BeanCallOperand implements Operand {

    private final BeanFactory beans;
    private final String bean;
    private final String method;
    private final List<Operand> arguments;
    private final Operand spel;
    private final Site site;
    private volatile @Nullable Operand decided;

    BeanCallOperand(BeanFactory beans, String bean, String method, List<Operand> arguments, Operand spel, Site site) {
        this.beans = beans;
        this.bean = bean;
        this.method = method;
        this.arguments = List.copyOf(arguments);
        this.spel = spel;
        this.site = site;
    }

    @Override
    public Class<?> type() {
        return Object.class;
    }

    @Override
    public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
        Operand operand = decided;
        return (operand != null ? operand : decide()).of(arguments, caller);
    }

    private Operand decide() {
        try {
            MethodHandle handle =
                    beans.isSingleton(bean) ? OnlyMethod.of(beans.getBean(bean), method, arguments) : null;
            Operand operand = handle == null ? spel : new Direct(handle, arguments, site);
            decided = operand;
            return operand;
        } catch (BeansException e) {
            return spel; // which fails in the same way, and says so; the next call may find the bean
        }
    }

    /** The call itself: a handle {@code (Object[]) → Object} bound to the bean. */
    private record Direct(MethodHandle handle, List<Operand> operands, Site site) implements Operand {

        @Override
        public Class<?> type() {
            return Object.class;
        }

        @Override
        public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
            @Nullable Object[] values = new @Nullable Object[operands.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = operands.get(i).of(arguments, caller);
            }
            try {
                return (@Nullable Object) handle.invokeExact(values);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw site.unusable("failed", e);
            }
        }
    }
}
