/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.limiter.Door;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * {@code CompletionStage} and {@code CompletableFuture}: decided at the call. After a wait the method runs on the
 * application's task executor, with the caller's context. A denial is a failed stage; cancelling the stage while it waits
 * gives back.
 */
@SuppressWarnings("FutureReturnValueIgnored") // each future is returned as Object, or its outcome handed to one that is
final class StagePassage implements Passage {

    private final Door door;
    private final Executor executor;

    StagePassage(Door door, Executor executor) {
        this.door = door;
        this.executor = executor;
    }

    @Override
    public @Nullable Object enter(MethodInvocation call, LimitedMethod limited) throws Throwable {
        CompletableFuture<Decision> decided;
        try {
            var asks = limited.asks(call);
            if (asks.isEmpty()) {
                return call.proceed();
            }
            decided = door.acquire(asks, limited.maxWait(), CallerContext.restoredOn(executor));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return decided.isDone() && !decided.isCompletedExceptionally()
                ? goOn(call, limited, decided.join())
                : goOnLater(call, limited, decided);
    }

    private static @Nullable Object goOn(MethodInvocation call, LimitedMethod limited, Decision decision)
            throws Throwable {
        if (!(decision instanceof Denied denied)) {
            return call.proceed();
        }
        try {
            return limited.denied(call, denied);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<Object> goOnLater(
            MethodInvocation call, LimitedMethod limited, CompletableFuture<Decision> decided) {
        MethodInvocation later = call instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : call;
        CompletableFuture<Object> result = new CompletableFuture<>();
        decided.whenComplete((decision, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!result.isDone()) {
                run(later, limited, decision, result);
            }
        });
        result.whenComplete((value, failure) -> decided.cancel(false));
        return result;
    }

    private static void run(
            MethodInvocation call, LimitedMethod limited, Decision decision, CompletableFuture<Object> result) {
        try {
            Object returned = goOn(call, limited, decision);
            if (returned instanceof CompletionStage<?> stage) {
                stage.whenComplete((value, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    } else {
                        result.complete(value);
                    }
                });
            } else {
                result.complete(returned);
            }
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    /** Whether a declared return type can take what this passage returns. */
    static boolean carries(Class<?> returnType) {
        return List.of(CompletionStage.class, CompletableFuture.class).contains(returnType);
    }
}
