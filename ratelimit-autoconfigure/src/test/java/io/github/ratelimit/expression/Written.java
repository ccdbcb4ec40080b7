/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Expressions as written on methods of the {@link Shop}, and calls of these. */
final class Written {

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();
    private @Nullable Caller caller;

    CallExpressions expressions() {
        return expressions(beans);
    }

    CallExpressions expressions(@Nullable BeanFactory factory) {
        return new CallExpressions(
                factory,
                () -> caller,
                text -> text.replace("${tenant.key}", "#tenantId").replace("${none:}", ""));
    }

    Written bean(String name, Object bean) {
        beans.addBean(name, bean);
        return this;
    }

    Written callerIs(@Nullable Caller caller) {
        this.caller = caller;
        return this;
    }

    KeyExpression key(String source, String method) {
        return expressions().key(source, method(method));
    }

    /** The key of one call. */
    String keyOf(String source, String method, @Nullable Object... arguments) {
        return key(source, method).keyOf(call(method, arguments));
    }

    CostExpression cost(String source, String method) {
        return expressions().cost(source, method(method));
    }

    long costOf(String source, String method, @Nullable Object... arguments) {
        return cost(source, method).costOf(call(method, arguments));
    }

    ConditionExpression condition(String source, String method) {
        return expressions().condition(source, method(method));
    }

    boolean holds(String source, String method, @Nullable Object... arguments) {
        return condition(source, method).holds(call(method, arguments));
    }

    PlanExpression plan(String source, String method) {
        return expressions().plan(source, method(method));
    }

    @Nullable
    String planOf(String source, String method, @Nullable Object... arguments) {
        return plan(source, method).planOf(call(method, arguments));
    }

    static Invocation call(String method, @Nullable Object... arguments) {
        return new Invocation(new Shop(), Shop.class, method(method), arguments);
    }

    static Method method(String name) {
        return Arrays.stream(Shop.class.getMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** What the expression became. */
    static Operand operand(String source, String method) {
        Scope scope = Scope.of(method(method));
        Site site = new Site(scope.place(), Site.Attribute.KEY, source);
        return new Compilation(scope, site, CallerSource.NONE, new SpelTools(null), null).run();
    }

    /** A request. */
    record Request(@Nullable String principal) implements Caller {

        @Override
        public String address() {
            return "192.0.2.1";
        }

        @Override
        public @Nullable String header(String name) {
            return name.equals("X-Api-Key") ? "secret" : null;
        }

        @Override
        public String path() {
            return "/orders";
        }

        @Override
        public String method() {
            return "POST";
        }
    }
}
