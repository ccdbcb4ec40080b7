/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.limiter.Ask;
import io.github.ratelimit.limiter.Door;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * {@code CompletionStage} and {@code CompletableFuture}: decided at the call. After a wait the method runs on the
 * application's task executor, with the caller's context. A denial is a failed stage; cancelling the stage while it waits
 * gives back. What the method itself throws when it runs at once is thrown as it is.
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
        CompletableFuture<Decision> decided = null;
        try {
            List<Ask> asks = limited.asks(call);
            if (!asks.isEmpty()) {
                decided = door.acquire(asks, limited.maxWait(), CallerContext.restoredOn(executor));
            }
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (decided == null) {
            return call.proceed();
        }
        if (!decided.isDone() || decided.isCompletedExceptionally()) {
            return goOnLater(call, limited, decided);
        }
        return decided.join() instanceof Denied denied ? denied(call, limited, denied) : call.proceed();
    }

    private static @Nullable Object denied(MethodInvocation call, LimitedMethod limited, Denied denied)
            throws Throwable {
        try {
            return limited.denied(call, denied);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Who gives up and who goes ahead is decided by the decision alone: given up before it, everything is given back;
     * after it the permits are spent, so the method runs, and hears of it as it would at any later moment.
     */
    static CompletableFuture<Object> goOnLater(
            MethodInvocation call, LimitedMethod limited, CompletableFuture<Decision> decided) {
        CompletableFuture<Object> result = new CompletableFuture<>();
        decided.whenComplete((decision, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                run(call, limited, decision, result);
            }
        });
        result.whenComplete((value, failure) -> decided.cancel(false));
        return result;
    }

    private static void run(
            MethodInvocation call, LimitedMethod limited, Decision decision, CompletableFuture<Object> result) {
        try {
            Object returned = decision instanceof Denied denied ? denied(call, limited, denied) : Onward.proceed(call);
            if (returned instanceof CompletionStage<?> stage) {
                handOn(stage, result);
            } else {
                result.complete(returned);
            }
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    /** The outcome goes to the caller; the caller's cancelling goes to the method's own future. */
    private static void handOn(CompletionStage<?> stage, CompletableFuture<Object> result) {
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(value);
            }
        });
        if (stage instanceof CompletableFuture<?> future) {
            result.whenComplete((value, failure) -> {
                if (result.isCancelled()) {
                    future.cancel(true);
                }
            });
        }
    }

    /** Whether a declared return type can take what this passage returns. */
    static boolean carries(Class<?> returnType) {
        return returnType == CompletionStage.class || returnType == CompletableFuture.class;
    }
}
