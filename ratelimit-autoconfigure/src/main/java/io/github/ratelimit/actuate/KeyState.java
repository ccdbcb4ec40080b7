/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimitStoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The state of one key as it is now, looked at without taking anything. Blocks for the store's answer. */
final class KeyState {

    private static final long PATIENCE_SECONDS = 10;

    private final Limits limits;
    private final RateLimitStore store;

    KeyState(Limits limits, RateLimitStore store) {
        this.limits = limits;
        this.store = store;
    }

    Map<String, Object> of(String name, String key) {
        Limit limit = answeredOnlyByItsStore(limits.numbersFor(name, null, key));
        Decision decision = peek(limit, key, 0);
        if (!(decision instanceof Allowed allowed && allowed.remaining() > 0)) {
            decision = peek(startingNoPenalty(limit), key, 1); // why, and until when
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("limit", limit.name());
        told.put("key", key);
        if (limit.plan() != null) {
            told.put("plan", limit.plan());
        }
        told.put("permits", limit.permits());
        if (decision instanceof Allowed allowed) {
            told.put("state", "allowed");
            told.put("remaining", allowed.remaining());
            told.put("resetAfterMillis", millis(allowed.resetAfterMicros()));
        } else if (decision instanceof Denied denied) {
            told.put("state", "denied");
            told.put("reason", denied.reason().name());
            told.put("remaining", denied.remaining());
            told.put("resetAfterMillis", millis(denied.resetAfterMicros()));
            if (denied.retryAfterMicros() != Denied.NEVER) {
                told.put("retryAfterMillis", millis(denied.retryAfterMicros()));
            }
        } else {
            told.put("state", "uncounted");
        }
        return told;
    }

    /** Forgets a key on whatever plan it was counted; returns the limit's name. */
    String reset(String name, String key) {
        Collection<Limit> shapes = limits.shapesOf(name);
        shapes.forEach(shape -> await(store.reset(shape, key).toCompletableFuture()));
        return shapes.iterator().next().name();
    }

    private Decision peek(Limit limit, String key, long cost) {
        Decision decision =
                await(store.peek(List.of(Charge.of(limit, key, cost))).toCompletableFuture());
        if (decision.parts().stream().anyMatch(KeyState::isUnknown)) {
            throw new RateLimitStoreException("The store cannot answer", null);
        }
        return decision;
    }

    /** The same limit, of which nobody else is asked while its store is away: what is counted meanwhile is not its state. */
    private static Limit answeredOnlyByItsStore(Limit limit) {
        return limit.with().onStoreFailure(FailurePolicy.DENY).build();
    }

    /** The same limit without its penalty: one that runs is told of, one that a call would start is not. */
    private static Limit startingNoPenalty(Limit limit) {
        return limit.with().penalty(Duration.ZERO).build();
    }

    private static boolean isUnknown(Decision part) {
        return part instanceof Denied denied && denied.reason() == DenialReason.STORE_UNAVAILABLE;
    }

    /** Needs no thread of the JVM's for the time-out: Tomcat would warn of one that a request has started. */
    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw new CompletionException(failure.getCause());
        } catch (TimeoutException late) {
            throw new CompletionException(late);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new RateLimitStoreException("The store cannot answer", interruption);
        }
    }

    private static long millis(long micros) {
        return (micros + 999) / 1_000;
    }
}
