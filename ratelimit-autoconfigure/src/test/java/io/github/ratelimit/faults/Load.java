/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Callers that ask for permits all the time: of one limit for each failure policy, and of all three at once. */
final class Load implements AutoCloseable {

    static final String PREFIX = "faults";
    static final String KEY = "alice";

    /** So many permits the local limit has; what comes back within a run is less than one. */
    static final long PERMITS = 100;

    private static final Limit LOCAL = limit("local", PERMITS, FailurePolicy.LOCAL);
    private static final Limit ALLOW = limit("allow", 1_000_000, FailurePolicy.ALLOW);
    private static final Limit DENY = limit("deny", 1_000_000, FailurePolicy.DENY);

    static final List<Limit> LIMITS = List.of(LOCAL, ALLOW, DENY);

    private static final List<List<Charge>> CALLS = List.of(
            List.of(charge(LOCAL)),
            List.of(charge(ALLOW)),
            List.of(charge(DENY)),
            List.of(charge(ALLOW), charge(LOCAL), charge(DENY)));

    private static final int CALLERS = 4;
    private static final long PAUSE_NANOS = 200_000;

    /** One call that was decided. */
    record Sample(long atNanos, long tookNanos, int call, String outcome, boolean letThrough) {}

    private final RateLimitStore store;
    private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean over;

    Load(RateLimitStore store) {
        this.store = store;
        for (int i = 0; i < CALLERS; i++) {
            Thread caller = new Thread(this::call, "caller-" + i);
            callers.add(caller);
            caller.start();
        }
    }

    private void call() {
        for (int i = 0; !over; i++) {
            int call = i % CALLS.size();
            long began = System.nanoTime();
            Decision decision = Stages.await(store.acquire(CALLS.get(call)));
            long took = System.nanoTime() - began;
            boolean counted = call == 0 || call == CALLS.size() - 1;
            samples.add(new Sample(began, took, call, outcome(decision), counted && decision.passes()));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static String outcome(Decision decision) {
        if (decision instanceof Denied denied) {
            return denied.reason() == DenialReason.STORE_UNAVAILABLE ? "503" : "429";
        }
        return decision instanceof Uncounted ? "uncounted" : "counted";
    }

    /** How many permits of the local limit were granted. */
    long letThrough() {
        return samples.stream().filter(Sample::letThrough).count();
    }

    /** The calls that began in this time. */
    List<Sample> between(long fromNanos, long toNanos) {
        return samples.stream()
                .filter(sample -> sample.atNanos() - fromNanos >= 0 && sample.atNanos() - toNanos < 0)
                .sorted(Comparator.comparingLong(Sample::atNanos))
                .toList();
    }

    /** What each policy answered: the shares of its outcomes, in percent. */
    static String decisions(List<Sample> samples) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LIMITS.size(); i++) {
            int call = i;
            Map<String, Integer> counts = new TreeMap<>();
            samples.stream()
                    .filter(sample -> sample.call() == call)
                    .forEach(sample -> counts.merge(sample.outcome(), 1, Integer::sum));
            text.append(i == 0 ? "" : "; ").append(LIMITS.get(i).name()).append(':');
            double all = counts.values().stream().mapToInt(count -> count).sum();
            counts.forEach((outcome, count) -> text.append(" %.0f %% %s".formatted(100 * count / all, outcome)));
        }
        return text.toString();
    }

    /** Lets every caller finish; fails if one was never answered. */
    void finish() {
        over = true;
        for (Thread caller : callers) {
            Eventually.until(caller + " was answered", Duration.ofSeconds(30), () -> !caller.isAlive());
        }
    }

    @Override
    public void close() {
        finish();
    }

    private static Charge charge(Limit limit) {
        return Charge.of(limit, KEY, 1);
    }

    private static Limit limit(String name, long permits, FailurePolicy policy) {
        return Limit.named(name)
                .algorithm(Algorithm.TOKEN_BUCKET)
                .permits(permits)
                .period(Duration.ofDays(1))
                .onStoreFailure(policy)
                .build();
    }
}
