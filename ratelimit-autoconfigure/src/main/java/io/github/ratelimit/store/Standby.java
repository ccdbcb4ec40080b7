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
 * <p>What only the whole limit could grant, and not the instance's share, nobody can count either: it is denied for the
 * outage, since it is granted once the store is back.
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
        if (charges.size() > 1 || !isLocal(charges.get(0))) {
            return reserve(charges).decision();
        }
        Charge here = share.of(charges.get(0));
        return here.cost() <= here.limit().burst()
                ? now(local.acquire(List.of(here)))
                : reserve(charges).decision();
    }

    Reservation reserve(List<Charge> charges) {
        List<Charge> counters = Charge.onePerCounter(charges);
        List<Charge> counted = countable(counters);
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
        List<Charge> counted = countable(counters);
        return together(
                counters,
                counted.isEmpty() || isRefused(counters)
                        ? state(counted)
                        : now(local.peek(counted)).parts());
    }

    /** What is counted here is given back here, however much it is, and shows its state. */
    Decision refund(List<Charge> charges) {
        List<Charge> counters = Charge.onePerCounter(charges);
        List<Charge> counted =
                counters.stream().filter(Standby::isLocal).map(share::of).toList();
        return together(
                counters.stream()
                        .map(charge -> isLocal(charge) ? free(charge) : charge)
                        .toList(),
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
                : now(local.peek(counted.stream().map(Standby::free).toList())).parts();
    }

    private boolean isRefused(List<Charge> counters) {
        for (Charge charge : counters) {
            if (isUnavailable(charge) && !charge.limit().shadow()) {
                return true;
            }
        }
        return false;
    }

    /** Whether this is denied because nobody can count it. */
    private boolean isUnavailable(Charge charge) {
        Limit limit = charge.limit();
        return switch (limit.onStoreFailure()) {
            case LOCAL ->
                charge.cost() <= limit.burst()
                        && charge.cost() > share.of(limit).burst();
            case ALLOW -> false;
            case DENY -> charge.cost() > 0;
        };
    }

    private List<Charge> countable(List<Charge> counters) {
        return counters.stream()
                .filter(charge -> isLocal(charge) && !isUnavailable(charge))
                .map(share::of)
                .toList();
    }

    private static boolean isLocal(Charge charge) {
        return charge.limit().onStoreFailure() == FailurePolicy.LOCAL;
    }

    private static Charge free(Charge charge) {
        return Charge.of(charge.limit(), charge.key(), 0);
    }

    private Decision together(List<Charge> counters, List<Decision> counted) {
        Parts parts = new Parts(counted);
        List<Decision> all = new ArrayList<>(counters.size());
        for (Charge charge : counters) {
            Limit limit = charge.limit();
            if (isUnavailable(charge)) {
                all.add(new Denied(limit, DenialReason.STORE_UNAVAILABLE, 0, 0, RETRY_MICROS));
            } else if (isLocal(charge)) {
                parts.moveNext(charge, all);
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
