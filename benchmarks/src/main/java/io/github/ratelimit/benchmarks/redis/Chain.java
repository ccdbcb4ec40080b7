/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** One call after the other, each made by whoever brings the answer to the last: nobody waits. */
final class Chain {

    private final Contender contender;
    private final Scenario scenario;
    private final long end;
    private final Histogram histogram = new Histogram();
    private final CompletableFuture<Histogram> ended = new CompletableFuture<>();
    private int next;

    Chain(Contender contender, Scenario scenario, int first, long end) {
        this.contender = contender;
        this.scenario = scenario;
        this.next = first;
        this.end = end;
    }

    CompletableFuture<Histogram> ended() {
        return ended;
    }

    /** Calls until an answer has to be waited for. */
    void goOn() {
        try {
            for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
                long called = now;
                CompletableFuture<?> answer = Objects.requireNonNull(contender.decideAsync(scenario.key(next++)))
                        .toCompletableFuture();
                if (!answer.isDone()) {
                    var unused = answer.whenComplete((decision, failure) -> {
                        histogram.count(System.nanoTime() - called, 1);
                        goOn();
                    });
                    return;
                }
                histogram.count(System.nanoTime() - called, 1);
            }
            ended.complete(histogram);
        } catch (RuntimeException | Error failure) {
            ended.completeExceptionally(failure);
        }
    }
}
