/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Allowed;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.testkit.Stages;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A window that outlasts the test, so that nothing comes back by itself and the book can be balanced to the last permit. A
 * part of what is granted is given back.
 */
final class WindowBook implements Book {

    private static final int GIVEN_BACK_ONE_OF = 4;

    private final Limit limit;
    private final int callers;
    private final int atOnce;
    private final List<Page> pages;
    private final LongAdder uncounted = new LongAdder();

    /**
     * An empty one.
     *
     * @param keys how many keys the callers choose from
     * @param callers how many there are
     * @param atOnce how many calls each of them has under way
     */
    WindowBook(String name, long permits, int keys, int callers, int atOnce) {
        this.limit = Limit.named(name)
                .algorithm(Algorithm.FIXED_WINDOW)
                .permits(permits)
                .period(Duration.ofDays(31))
                .onStoreFailure(FailurePolicy.ALLOW)
                .build();
        this.callers = callers;
        this.atOnce = atOnce;
        this.pages = IntStream.range(0, keys).mapToObj(Page::new).toList();
    }

    @Override
    public int callers() {
        return callers;
    }

    @Override
    public void call(RateLimitStore store, SplittableRandom random) {
        Page page = pages.get(random.nextInt(pages.size()));
        List<Charge> charges = List.of(Charge.of(limit, page.key, random.nextLong(1, 3)));
        List<CompletionStage<Decision>> underWay =
                Stream.generate(() -> store.acquire(charges)).limit(atOnce).toList();
        for (CompletionStage<Decision> call : underWay) {
            Decision decision = Stages.await(call);
            if (decision instanceof Allowed) {
                page.granted.addAndGet(charges.get(0).cost());
                if (random.nextInt(GIVEN_BACK_ONE_OF) == 0) {
                    giveBack(store, charges, page);
                }
            } else if (!(decision instanceof Denied)) {
                uncounted.increment();
            }
        }
    }

    private static void giveBack(RateLimitStore store, List<Charge> charges, Page page) {
        long cost = charges.get(0).cost();
        page.returned.addAndGet(cost);
        if (Stages.await(store.refund(charges)) instanceof Allowed) {
            page.received.addAndGet(cost);
        }
    }

    @Override
    public Balance balance(RateLimitStore redis) {
        long granted = 0;
        long lost = 0;
        for (Page page : pages) {
            long used = limit.permits() - left(redis, page);
            assertThat(used)
                    .as("%s of %s: what callers kept was charged", page.key, limit.name())
                    .isGreaterThanOrEqualTo(page.granted.get() - page.returned.get());
            granted += page.granted.get();
            lost += Math.max(0, used - page.granted.get() + page.received.get());
        }
        return new Balance(granted, uncounted.sum(), lost);
    }

    private long left(RateLimitStore redis, Page page) {
        Decision state = Stages.await(redis.peek(List.of(Charge.of(limit, page.key, 0))));
        return ((Allowed) state).remaining();
    }

    @Override
    public String toString() {
        return limit.name();
    }

    /** What is known of one key. */
    private static final class Page {

        private final String key;
        private final AtomicLong granted = new AtomicLong();

        /** What callers gave back, and what of that Redis has received for certain. */
        private final AtomicLong returned = new AtomicLong();

        private final AtomicLong received = new AtomicLong();

        Page(int number) {
            this.key = "key" + number;
        }
    }
}
