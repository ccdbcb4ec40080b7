/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The beginning of a call that is decided for each subscription, ahead of all other advice.
 *
 * <p>An invocation is gone through once: whoever proceeds on it a second time goes on behind the advice that came last.
 * Advice before the gate that itself waits for a subscription, such as Spring Security's, proceeds once for each, and
 * would leave the gate out from the second one on. So where the call returns before it came to the gate, each later
 * subscription begins anew, with an invocation of its own. Where it came to the gate, the gate sees to it alone.
 */
final class ReactorBeginning {

    private static final String REACHED = ReactorBeginning.class.getName() + ".reached";

    private ReactorBeginning() {}

    static @Nullable Object of(ProxyMethodInvocation call, Class<?> targetClass) throws Throwable {
        ReactiveAdapter type = ReactorAdapter.type(call.getMethod(), targetClass);
        if (type == null) {
            return call.proceed();
        }
        AtomicBoolean reached = new AtomicBoolean();
        call.setUserAttribute(REACHED, reached);
        Object first = call.invocableClone().proceed();
        if (reached.get() || first == null) {
            return first;
        }
        AtomicReference<@Nullable Object> unused = new AtomicReference<>(first);
        Supplier<Publisher<Object>> publisher = () -> {
            Object made = unused.getAndSet(null);
            return made == null ? again(call, type) : type.toPublisher(made);
        };
        return type.fromPublisher(
                type.isMultiValue() ? Flux.defer(publisher) : Mono.defer(() -> Mono.from(publisher.get())));
    }

    private static Publisher<Object> again(ProxyMethodInvocation call, ReactiveAdapter type) {
        try {
            return type.toPublisher(call.invocableClone().proceed());
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    /** The call has come to the gate. */
    static void reached(MethodInvocation call) {
        if (call instanceof ProxyMethodInvocation proxied
                && proxied.getUserAttribute(REACHED) instanceof AtomicBoolean reached) {
            reached.setPlain(true);
        }
    }
}
