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
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * {@code Mono}, {@code Flux}, what Spring adapts to them (Kotlin's {@code Flow}, RxJava's types) and Kotlin's
 * {@code suspend}, which Spring's proxies carry as a publisher: decided for each subscription, before the method is called.
 * The method never runs on a thread of the store's client, and cancelling while it waits gives back. Expressions and
 * method see what the subscriber's thread and the reactive context carry.
 *
 * <p>A {@code Mono} stays one all the way: taking the first element of a {@code Flux} would cancel the method's own
 * publisher after its element, and a transaction around it would roll back.
 */
final class ReactorAdapter implements Passage {

    private static final Executor PARALLEL = task -> Schedulers.parallel().schedule(task);
    private static final String FLOW = "kotlinx.coroutines.flow.Flow";

    private final Door door;
    private final boolean one;
    private final @Nullable ReactiveAdapter type;

    /** With the adapter of the declared type; a suspending function needs none. */
    private ReactorAdapter(Door door, boolean one, @Nullable ReactiveAdapter type) {
        this.door = door;
        this.one = one;
        this.type = type;
    }

    /** The passage of a method that returns one of them, or {@code null}. */
    static @Nullable Passage of(Method method, Class<?> targetClass, Door door) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            Class<?> result = new MethodParameter(method, -1).getParameterType();
            return new ReactorAdapter(door, !FLOW.equals(result.getName()), null);
        }
        ReactiveAdapter type = type(method, targetClass);
        return type == null ? null : new ReactorAdapter(door, !type.isMultiValue(), type);
    }

    /** The adapter of what a method returns, where that is run by each subscription; a type variable is what the class says. */
    static @Nullable ReactiveAdapter type(Method method, Class<?> targetClass) {
        Class<?> returned = GenericTypeResolver.resolveReturnType(method, targetClass);
        ReactiveAdapter type = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        return type != null
                        && type.getReactiveType() == returned
                        && type.getDescriptor().isDeferred()
                ? type
                : null;
    }

    @Override
    public Object enter(MethodInvocation call, LimitedMethod limited) {
        ReactorBeginning.reached(call);
        Publisher<Object> decided = one
                ? Mono.deferContextual(context -> new Subscription(call, limited, context).one())
                : Flux.deferContextual(context -> new Subscription(call, limited, context).many());
        return type == null ? decided : type.fromPublisher(decided);
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
                    return published(
                            decision instanceof Denied denied ? limited.denied(call, denied) : Onward.proceed(call));
                } catch (Throwable e) {
                    return Mono.error(e);
                }
            });
            return published == null ? Mono.empty() : published;
        }

        @SuppressWarnings("unchecked")
        private Publisher<Object> published(@Nullable Object result) {
            if (result instanceof Publisher<?> publisher) {
                return (Publisher<Object>) publisher;
            }
            return type == null ? Mono.justOrEmpty(result) : type.toPublisher(result);
        }
    }
}
