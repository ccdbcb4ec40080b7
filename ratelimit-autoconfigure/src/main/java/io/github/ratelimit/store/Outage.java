/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is told of failures: one warning when an outage begins, one line when it is over, everything else for debugging.
 * It is over when calls are sent again, the last of them was answered, and none has failed for {@link #QUIET_NANOS}, so that a store
 * that comes and goes is one outage, and silence is no recovery.
 * A call that fails because of its own key tells nothing of the store.
 */
final class Outage {

    static final long QUIET_NANOS = 1_000_000_000;

    /** So many writes are refused, without an outage, before that is told. */
    static final int MANY_REFUSED = 10;

    private static final Logger log = LoggerFactory.getLogger(SteadfastStore.class);

    private final StoreHealth health;
    private final String address;
    private final AtomicReference<@Nullable Began> since = new AtomicReference<>();
    private final Set<StoreFailure> warnedOf = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refusedWrites = new AtomicInteger();
    private volatile long troubledAt;
    private volatile boolean unanswered;

    private record Began(long atNanos) {}

    Outage(StoreHealth health, String address) {
        this.health = health;
        this.address = address;
    }

    /** One call was not answered. */
    void failed(StoreFailure cause, Throwable failure, long nowNanos) {
        if (!cause.isOfOneKey()) {
            troubledAt = nowNanos;
            unanswered = true;
        }
        tell(() -> health.failed(cause));
        log.debug("{}: its limits' on-store-failure decides this call", cause.says(), failure);
        if (cause.isOfOneKey() && warnedOf.add(cause)) {
            log.warn(
                    "{}. Calls on such a key are decided by their limits' on-store-failure. {}",
                    cause.says(),
                    cause.cure());
        }
    }

    /** A write was refused while what writes nothing may be answered, so that no outage begins. Where that goes on it is told once. */
    void refusedWrite(StoreFailure cause) {
        if (refusedWrites.incrementAndGet() >= MANY_REFUSED && since.get() == null && warnedOf.add(cause)) {
            log.warn(
                    "{} ({}), but answers what writes nothing. Calls that would be granted are decided by their limits' on-store-failure. {}",
                    cause.says(),
                    address,
                    cause.cure());
        }
    }

    /** Something is wrong of which one warning is enough until the next start. */
    void failedOnce(StoreFailure cause) {
        tell(() -> health.failed(cause));
        if (warnedOf.add(cause)) {
            log.warn("{} ({}). {}", cause.says(), address, cause.cure());
        }
    }

    /** Calls are kept away from now on. */
    void begins(StoreFailure cause, Throwable failure, long nowNanos) {
        refusedWrites.set(0);
        if (since.compareAndSet(null, new Began(nowNanos))) {
            log.warn(
                    "{} ({}{}). Until it is back, each limit's on-store-failure decides. {}",
                    cause.says(),
                    address,
                    reason(cause, failure),
                    cause.cure());
            tell(() -> health.away(cause));
        }
    }

    /** One call was answered. */
    void answered() {
        if (unanswered) {
            unanswered = false;
        }
    }

    /** Calls are sent again. */
    void recovers(long nowNanos) {
        troubledAt = nowNanos;
    }

    /** Looks whether it is over. Returns whether none is going on any more. */
    boolean ends(long nowNanos) {
        Began began = since.get();
        if (began != null && (unanswered || nowNanos - troubledAt < QUIET_NANOS)) {
            return false;
        }
        if (began != null && since.compareAndSet(began, null)) {
            Duration away = Duration.ofNanos(nowNanos - began.atNanos);
            log.info("Redis answers again, {} s after the first sign of trouble", away.toSeconds());
            tell(() -> health.back(away));
        }
        return true;
    }

    /** The kind of the innermost exception, where that helps. No message is quoted: it could name a key or a password. */
    private static String reason(StoreFailure cause, Throwable failure) {
        if (cause != StoreFailure.CONNECTION && cause != StoreFailure.OTHER) {
            return "";
        }
        Throwable innermost = failure;
        for (int i = 0; i < StoreFailure.DEEPEST_CAUSE && innermost.getCause() != null; i++) {
            innermost = innermost.getCause();
        }
        return ", " + innermost.getClass().getSimpleName();
    }

    private static void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error failure) {
            log.debug("A listener failed", failure);
        }
    }
}
