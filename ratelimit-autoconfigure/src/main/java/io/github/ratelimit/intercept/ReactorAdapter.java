/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import io.github.ratelimit.limiter.PresentRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * {@code Mono}, {@code Flux} and Kotlin's {@code suspend} (which Spring's proxies carry as a publisher): decided for each
 * subscription, before the method is called. The method never runs on a thread of the store's client, and cancelling
 * while it waits gives back. Expressions and method see what the subscriber's thread and the reactive context carry.
 *
 * <p>A {@code Mono} stays one all the way: taking the first element of a {@code Flux} would cancel the method's own
 * publisher after its element, and a transaction around it would roll back.
 */
final class ReactorAdapter implements Passage {

    private static final Executor PARALLEL = task -> Schedulers.parallel().schedule(task);
    private static final String FLOW = "kotlinx.coroutines.flow.Flow";

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
        return isOne(limited.method())
                ? Mono.deferContextual(context -> new Subscription(call, limited, context).one())
                : Flux.deferContextual(context -> new Subscription(call, limited, context).many());
    }

    private static boolean isOne(Method method) {
        return KotlinDetector.isSuspendingFunction(method)
                ? !FLOW.equals(
                        new MethodParameter(method, -1).getParameterType().getName())
                : method.getReturnType() == Mono.class;
    }

    /** Each subscription runs the rest of the chain anew, so each has an invocation of its own. */
    private final class Subscription {

        private final MethodInvocation call;
        private final LimitedMethod limited;
        private final CallerContext caller;

        Subscription(MethodInvocation call, LimitedMethod limited, ContextView context) {
            this.call = call instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : call;
            this.limited = limited;
            this.caller = CallerContext.of(context, context.getOrDefault(PresentRequest.KEY, null));
        }

        Mono<Object> one() {
            List<Ask> asks = asks();
            return asks.isEmpty()
                    ? Mono.from(goOn(null))
                    : decided(asks).flatMap(decision -> Mono.from(goOn(decision)));
        }

        Publisher<Object> many() {
            List<Ask> asks = asks();
            return asks.isEmpty() ? goOn(null) : decided(asks).flatMapMany(this::goOn);
        }

        private List<Ask> asks() {
            List<Ask> asks = caller.around(() -> limited.asks(call));
            return asks == null ? List.of() : asks;
        }

        private Mono<Decision> decided(List<Ask> asks) {
            return Mono.fromFuture(() -> caller.around(() -> door.acquire(asks, limited.maxWait(), PARALLEL)));
        }

        private Publisher<Object> goOn(@Nullable Decision decision) {
            Publisher<Object> published = caller.around(() -> {
                try {
                    return published(decision instanceof Denied denied ? limited.denied(call, denied) : call.proceed());
                } catch (Throwable e) {
                    return Mono.error(e);
                }
            });
            return published == null ? Mono.empty() : published;
        }

        @SuppressWarnings("unchecked")
        private static Publisher<Object> published(@Nullable Object result) {
            return result instanceof Publisher<?> publisher ? (Publisher<Object>) publisher : Mono.justOrEmpty(result);
        }
    }
}
