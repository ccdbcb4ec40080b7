/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.playground;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.HeaderChoice;
import io.github.ratelimit.web.RequestDecisions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One play of one traffic against five limits with the same numbers, each on a key nobody has used. The numbers travel
 * with every call, so limits need no more than to be there.
 */
final class Run {

    private static final Duration TICK = Duration.ofMillis(25);
    private static final HeaderChoice HEADERS = new HeaderChoice(true, true, false, false);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RateLimitStore store;
    private final Consumer<Decision> listeners;
    private final List<Limit> limits;
    private final String key = UUID.randomUUID().toString();
    private final AnswerHeaders headers = new AnswerHeaders(HEADERS);
    private final long periodMillis;
    private final long beganAtMillis = System.currentTimeMillis();
    private final long beganNanos = System.nanoTime();
    private final long[] arrivals;
    private final long lastsMillis;
    private volatile boolean stopped;
    private int next;
    private volatile long lastAt;

    Run(RateLimitStore store, List<RateLimitListener> listeners, Numbers numbers, Pattern pattern) {
        this.store = store;
        this.listeners = decision -> listeners.forEach(listener -> listener.onDecision(decision));
        this.limits = numbers.limits();
        this.periodMillis = numbers.periodMillis();
        this.arrivals = pattern.arrivals(numbers, beganAtMillis).toArray();
        long drain = Math.max(periodMillis, periodMillis * numbers.burst() / numbers.permits());
        this.lastsMillis = arrivals[arrivals.length - 1] + Math.min(drain, 5_000);
    }

    /** What the page needs to know before anything happens. */
    Frame.Start start() {
        return new Frame.Start(
                limits.stream()
                        .map(limit -> new Frame.Name(limit.name(), capacity(limit)))
                        .toList(),
                lastsMillis);
    }

    /** Plays. Whatever was asked is in a frame, also when the run is stopped. Who does not listen is not waited for long. */
    Flux<Frame> frames() {
        return Flux.interval(TICK)
                .onBackpressureDrop()
                .takeWhile(tick -> !stopped && lastAt < lastsMillis)
                .concatMap(tick -> step(), 1)
                .take(Duration.ofMillis(lastsMillis).plus(PATIENCE));
    }

    /** Ends with the frame that is under way. */
    void stop() {
        stopped = true;
    }

    private Mono<Frame> step() {
        long at = (System.nanoTime() - beganNanos) / 1_000_000;
        int calls = 0;
        while (next < arrivals.length && arrivals[next] <= at) {
            next++;
            calls++;
        }
        List<Long> edges = edges(lastAt, at);
        lastAt = at;
        int asked = calls;
        return Flux.fromIterable(limits)
                .flatMapSequential(limit -> lane(limit, asked, at))
                .collectList()
                .map(lanes -> new Frame(at, asked, edges, lanes));
    }

    private List<Long> edges(long from, long to) {
        long first = Math.floorDiv(beganAtMillis + from, periodMillis) + 1;
        long last = Math.floorDiv(beganAtMillis + to, periodMillis);
        return LongStream.rangeClosed(first, last)
                .map(window -> window * periodMillis - beganAtMillis)
                .boxed()
                .toList();
    }

    private Mono<Frame.Lane> lane(Limit limit, int calls, long at) {
        long longestWait = limit.paced() ? Charge.LONGEST_WAIT_MICROS : 0;
        Charge charge = Charge.of(limit, key, 1).waiting(longestWait);
        return Flux.range(0, calls)
                .flatMapSequential(call -> Mono.fromCompletionStage(() -> store.acquire(List.of(charge))))
                .doOnNext(listeners)
                .collectList()
                .zipWhen(decisions -> used(limit), (decisions, used) -> lane(decisions, used, at));
    }

    private Mono<Long> used(Limit limit) {
        return Mono.fromCompletionStage(() -> store.peek(List.of(Charge.of(limit, key, 0))))
                .map(state -> capacity(limit) - (state instanceof Allowed now ? now.remaining() : 0));
    }

    private Frame.Lane lane(List<Decision> decisions, long used, long at) {
        List<Long> went = new ArrayList<>();
        for (Decision decision : decisions) {
            if (decision.passes()) {
                went.add(at + (decision instanceof Allowed allowed ? allowed.delayMicros() / 1_000 : 0));
            }
        }
        int denied = decisions.size() - went.size();
        if (decisions.isEmpty()) {
            return new Frame.Lane(went, denied, used, 0, Map.of());
        }
        Decision last = decisions.get(decisions.size() - 1);
        int status = last instanceof Denied ? 429 : 200;
        RequestDecisions request = new RequestDecisions();
        request.add(last);
        return new Frame.Lane(went, denied, used, status, headers.of(request, status));
    }

    private static long capacity(Limit limit) {
        return limit.algorithm().isBucket() ? limit.burst() : limit.permits();
    }
}
