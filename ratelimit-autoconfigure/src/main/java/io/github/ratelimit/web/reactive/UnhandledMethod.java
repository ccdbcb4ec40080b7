/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.HandlerMethod;

/**
 * A controller's method whose failures WebFlux cannot handle once a call of its request was refused. WebFlux looks for
 * exception handlers in the method's bean first, and asks the method which that is: then it is one whose only handler
 * throws what it is given. There is no other place to come before an application's handler for every exception.
 *
 * <p>What else of the bean belongs to a call (its binders, its model, its session attributes) WebFlux looks for when it makes the call. Until
 * then the method is itself, whatever was refused before: a request that went on after a denial is bound as ever.
 */
final class UnhandledMethod extends HandlerMethod {

    private final ReactiveExchange request;
    private volatile boolean called;

    UnhandledMethod(HandlerMethod method, ReactiveExchange request) {
        super(method);
        this.request = request;
    }

    /** Says that the call has been made, and may fail from now on. */
    void called() {
        called = true;
    }

    private boolean isUnhandled() {
        return called && request.refused();
    }

    @Override
    public Object getBean() {
        return isUnhandled() ? Rethrow.INSTANCE : super.getBean();
    }

    @Override
    public Class<?> getBeanType() {
        return isUnhandled() ? Rethrow.class : super.getBeanType();
    }

    /** Handles nothing. */
    static final class Rethrow {

        private static final Rethrow INSTANCE = new Rethrow();

        @ExceptionHandler(Throwable.class)
        void rethrow(Throwable failure) throws Throwable {
            throw failure;
        }
    }
}
