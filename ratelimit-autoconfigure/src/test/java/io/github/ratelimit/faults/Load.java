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
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

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

    /** What callers ask for, and how they may be answered. */
    @SuppressWarnings("ImmutableEnumChecker") // lists and sets that cannot be changed
    private enum Call {
        LOCAL(Set.of("counted", "429"), Load.LOCAL),
        ALLOW(Set.of("counted", "uncounted"), Load.ALLOW),
        DENY(Set.of("counted", "503"), Load.DENY),
        MIXED(Set.of("counted", "429", "503"), Load.ALLOW, Load.LOCAL, Load.DENY);

        private final Set<String> answers;
        private final List<Charge> charges;

        Call(Set<String> answers, Limit... limits) {
            this.answers = answers;
            this.charges = Stream.of(limits).map(Load::charge).toList();
        }

        boolean isOfLocal() {
            return this == LOCAL || this == MIXED;
        }
    }

    private static final int CALLERS = 4;
    private static final long PAUSE_NANOS = 200_000;

    /** One call that was decided. */
    record Sample(long atNanos, long tookNanos, Call call, String outcome, boolean letThrough) {

        /** Whether it was answered as its policy says. */
        boolean isByPolicy() {
            return call.answers.contains(outcome);
        }
    }

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
            Call call = Call.values()[i % Call.values().length];
            long began = System.nanoTime();
            Decision decision = Stages.await(store.acquire(call.charges));
            long took = System.nanoTime() - began;
            samples.add(new Sample(began, took, call, outcome(decision), call.isOfLocal() && decision.passes()));
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

    /** All calls that were decided. */
    List<Sample> all() {
        return List.copyOf(samples);
    }

    /** The calls that began in this time. */
    List<Sample> between(long fromNanos, long toNanos) {
        return samples.stream()
                .filter(sample -> sample.atNanos() - fromNanos >= 0 && sample.atNanos() - toNanos < 0)
                .sorted(Comparator.comparingLong(Sample::atNanos))
                .toList();
    }

    /** What each policy answered, and all in one call: the shares of the outcomes, in percent. */
    static String decisions(List<Sample> samples) {
        StringBuilder text = new StringBuilder();
        for (Call call : Call.values()) {
            Map<String, Integer> counts = new TreeMap<>();
            samples.stream()
                    .filter(sample -> sample.call() == call)
                    .forEach(sample -> counts.merge(sample.outcome(), 1, Integer::sum));
            text.append(text.isEmpty() ? "" : "; ")
                    .append(call.name().toLowerCase(Locale.ROOT))
                    .append(':');
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
