/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.KotlinDetector;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code Mono}, {@code Flux} and Kotlin's {@code suspend} (which Spring's proxies carry as a publisher): decided for each
 * subscription, before the method is called. The method never runs on a thread of the store's client, and cancelling
 * while it waits gives back.
 */
final class ReactorAdapter implements Passage {

    private static final Executor PARALLEL = task -> Schedulers.parallel().schedule(task);

    private final Door door;

    ReactorAdapter(Door door) {
        this.door = door;
    }

    /** Whether a method returns one of them. */
    static boolean carries(Method method) {
        Class<?> type = method.getReturnType();
        return type == Mono.class
                || type == Flux.class
                || type == Publisher.class
                || KotlinDetector.isSuspendingFunction(method);
    }

    @Override
    public Object enter(MethodInvocation call, LimitedMethod limited) {
        return call.getMethod().getReturnType() == Mono.class || isSuspendingValue(call.getMethod())
                ? Mono.defer(() -> Mono.from(decided(call, limited)))
                : Flux.defer(() -> decided(call, limited));
    }

    private static boolean isSuspendingValue(Method method) {
        return KotlinDetector.isSuspendingFunction(method)
                && !"kotlinx.coroutines.flow.Flow".equals(method.getReturnType().getName());
    }

    /** Each subscription runs the rest of the chain anew, so each has an invocation of its own. */
    private Publisher<Object> decided(MethodInvocation call, LimitedMethod limited) {
        MethodInvocation mine = call instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : call;
        List<Ask> asks = limited.asks(mine);
        if (asks.isEmpty()) {
            return proceed(mine);
        }
        return Mono.fromFuture(() -> door.acquire(asks, limited.maxWait(), PARALLEL))
                .flatMapMany(decision -> goOn(mine, limited, decision));
    }

    private static Publisher<Object> goOn(MethodInvocation call, LimitedMethod limited, Decision decision) {
        if (!(decision instanceof Denied denied)) {
            return proceed(call);
        }
        try {
            return published(limited.denied(call, denied));
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    private static Publisher<Object> proceed(MethodInvocation call) {
        try {
            return published(call.proceed());
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> published(@Nullable Object result) {
        return result instanceof Publisher<?> publisher ? (Publisher<Object>) publisher : Mono.justOrEmpty(result);
    }
}
