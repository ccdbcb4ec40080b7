/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.contract;

import io.github.ratelimit.Limit;
import io.github.ratelimit.testkit.Caller;
import io.github.ratelimit.testkit.Kind;
import io.github.ratelimit.testkit.StoreUnderTest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** What every part of the contract starts from: a store, a time, names that nobody has used. */
interface StoreFixture {

    /** A time as Redis would tell it, at which a window of any common length begins: midnight, in microseconds. */
    long T0 = 20_370L * 86_400_000_000L;

    long MILLI = 1_000;
    long SECOND = 1_000_000;
    Duration A_SECOND = Duration.ofSeconds(1);
    String KEY = "alice";
    AtomicInteger NAMES = new AtomicInteger();

    StoreUnderTest store();

    /** Somebody who calls the store, at {@link #T0}. */
    default Caller caller() {
        return new Caller(store(), T0);
    }

    /** A limit's name that no other test has used. */
    default String freshName() {
        return "limit-" + NAMES.incrementAndGet();
    }

    /** So many permits per second. */
    default Limit perSecond(Kind kind, long permits) {
        return kind.named(freshName()).permits(permits).period(A_SECOND).build();
    }
}
