/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Decision.Uncounted;
import io.github.ratelimit.DenialReason;
import io.github.ratelimit.FailurePolicy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Decides while the shared store cannot, by each limit's failure policy: {@code LOCAL} counts the instance's share in a
 * store of this JVM, {@code ALLOW} passes uncounted, {@code DENY} denies what takes permits; a cost of 0 takes none.
 *
 * <p>A limit that denies because nobody can count denies the whole call. The local limits beside it are then not charged
 * and have no say, they only show their state: the call is refused for the outage and for nothing else.
 */
final class Standby {

    /** Nobody knows when a store comes back; a second is what the HTTP answer says, too. */
    private static final long RETRY_MICROS = 1_000_000;

    private final RateLimitStore local;
    private final LocalShare share;

    Standby(RateLimitStore local, LocalShare share) {
        this.local = local;
        this.share = share;
    }

    Decision acquire(List<Charge> charges) {
        return charges.size() == 1 && isLocal(charges.get(0))
                ? now(local.acquire(List.of(share.of(charges.get(0)))))
                : reserve(charges).decision();
    }

    Reservation reserve(List<Charge> charges) {
        List<Charge> counters = Charge.onePerCounter(charges);
        List<Charge> counted = localOnes(counters);
        if (counted.isEmpty() || isRefused(counters)) {
            return new Reservation(together(counters, state(counted)), List.of());
        }
        Reservation reservation = now(local.reserve(counted));
        Decision decision = together(counters, reservation.decision().parts());
        List<Hold> holds = decision instanceof Denied ? List.of() : reservation.holds();
        return new Reservation(decision, holds);
    }

    Decision peek(List<Charge> charges) {
        List<Charge> counters = Charge.onePerCounter(charges);
        List<Charge> counted = localOnes(counters);
        return together(
                counters,
                counted.isEmpty() || isRefused(counters)
                        ? state(counted)
                        : now(local.peek(counted)).parts());
    }

    Decision refund(List<Charge> charges) {
        List<Charge> counters = Charge.onePerCounter(charges);
        List<Charge> counted = localOnes(counters);
        return together(
                counters,
                counted.isEmpty() ? List.of() : now(local.refund(counted)).parts());
    }

    PartialGrant acquireUpTo(Charge charge) {
        if (isLocal(charge)) {
            return now(local.acquireUpTo(share.of(charge)));
        }
        Decision decision = together(List.of(charge), List.of());
        boolean granted = charge.limit().onStoreFailure() == FailurePolicy.ALLOW;
        return new PartialGrant(granted ? charge.cost() : 0, decision);
    }

    private List<Decision> state(List<Charge> counted) {
        return counted.isEmpty()
                ? List.of()
                : now(local.peek(counted.stream()
                                .map(charge -> Charge.of(charge.limit(), charge.key(), 0))
                                .toList()))
                        .parts();
    }

    private static boolean isRefused(List<Charge> counters) {
        for (Charge charge : counters) {
            if (isUnavailable(charge) && !charge.limit().shadow()) {
                return true;
            }
        }
        return false;
    }

    /** Whether this limit denies because nobody can count. */
    private static boolean isUnavailable(Charge charge) {
        return charge.limit().onStoreFailure() == FailurePolicy.DENY && charge.cost() > 0;
    }

    private List<Charge> localOnes(List<Charge> charges) {
        return charges.stream().filter(Standby::isLocal).map(share::of).toList();
    }

    private static boolean isLocal(Charge charge) {
        return charge.limit().onStoreFailure() == FailurePolicy.LOCAL;
    }

    private static Decision together(List<Charge> counters, List<Decision> counted) {
        Parts parts = new Parts(counted);
        List<Decision> all = new ArrayList<>(counters.size());
        for (Charge charge : counters) {
            Limit limit = charge.limit();
            if (isLocal(charge)) {
                parts.moveNext(charge, all);
            } else if (isUnavailable(charge)) {
                all.add(new Denied(limit, DenialReason.STORE_UNAVAILABLE, 0, 0, RETRY_MICROS));
            } else {
                all.add(new Uncounted(limit.name(), limit.plan()));
            }
        }
        return Decision.together(all);
    }

    private static <T> T now(CompletionStage<T> answered) {
        return answered.toCompletableFuture().join();
    }
}
