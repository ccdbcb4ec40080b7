/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import java.lang.reflect.Method;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * A method that fails, and then passes for another one: WebFlux looks for exception handlers in that one's bean first. So
 * a failure is handled as though that method had thrown it.
 */
final class FailingMethod extends HandlerMethod {

    private final HandlerMethod other;

    FailingMethod(Throwable failure, HandlerMethod other) {
        super(new Failure(failure), Failure.METHOD);
        this.other = other;
    }

    @Override
    public Object getBean() {
        return hasFailed() ? other.getBean() : super.getBean();
    }

    @Override
    public Class<?> getBeanType() {
        return hasFailed() ? other.getBeanType() : super.getBeanType();
    }

    /** Asked by the superclass's constructor already, when only the bean is there. */
    private boolean hasFailed() {
        return super.getBean() instanceof Failure failure && failure.thrown;
    }

    /** Fails. */
    static final class Failure {

        static final Method METHOD = ClassUtils.getMethod(Failure.class, "fail");

        private final Throwable cause;
        private volatile boolean thrown;

        Failure(Throwable cause) {
            this.cause = cause;
        }

        /** Throws what it was made for. */
        public void fail() throws Throwable {
            thrown = true;
            throw cause;
        }
    }
}
