/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.limiter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Denied;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one door: every call that is limited goes through here, whether an annotation, an HTTP rule or code asks for it.
 *
 * <p>A call is an ordered list of {@link Ask}s that are decided together. The door looks up the numbers, asks the store,
 * tells the listeners, and serves the wait. How long a call waits it says itself ({@code maxWait}, zero: never delayed),
 * or leaves to its limits ({@code null}): what each states as {@code max-wait}, else not at all; but a paced leaky bucket
 * delays as long as {@code ratelimit.waiting.leaky-bucket} says. What waiting means is told in {@link Course}.
 *
 * <p>Deadlines are reckoned on {@link System#nanoTime} from the moment the store's answer arrived, so that a call goes
 * ahead never before its time.
 */
public final class Door implements AutoCloseable {

    private final Limits limits;
    private final Charges charges;
    private final RateLimitStore store;
    private final Counter counter;
    private final Listeners listeners;
    private final Patience unstated;
    private final BlockedThreads threads;
    private final WaitTimer timer = new WaitTimer();
    private final Executor executor;
    private final BooleanSupplier onEventLoop;
    private final RequestSource requests;

    /**
     * A door.
     *
     * @param limits the numbers
     * @param store the counters
     * @param listeners who hears the decisions
     * @param waiting how calls may wait
     * @param executor where a caller goes on whose answer did not come at once: the application's task executor
     * @param onEventLoop whether the current thread must never wait
     * @param requests finds the web request a call belongs to, which hears its decision as the listeners do
     */
    public Door(
            Limits limits,
            RateLimitStore store,
            List<? extends RateLimitListener> listeners,
            Waiting waiting,
            Executor executor,
            BooleanSupplier onEventLoop,
            RequestSource requests) {
        this.limits = limits;
        this.charges = new Charges(limits, executor, onEventLoop);
        this.store = store;
        this.counter = new Counter(store);
        this.listeners = new Listeners(listeners);
        this.unstated = Patience.ofTheLimits(waiting.leakyBucket());
        this.threads = new BlockedThreads(waiting.blockedThreads());
        this.executor = executor;
        this.onEventLoop = onEventLoop;
        this.requests = requests;
    }

    /** Decides a call on the caller's thread, and returns when it may go ahead. */
    public Decision acquireBlocking(List<Ask> asks, @Nullable Duration maxWait) {
        return acquireBlocking(asks, maxWait, () -> {});
    }

    /**
     * Decides a call on the caller's thread, and returns when it may go ahead.
     *
     * <p>On an event-loop thread nobody waits: a call that would have to is denied.
     *
     * @param waitRefused called before such a denial is told, where on any other thread the call would have waited
     */
    public Decision acquireBlocking(List<Ask> asks, @Nullable Duration maxWait, Runnable waitRefused) {
        List<Charge> charged = charges.of(asks);
        Patience patience = patience(maxWait);
        Listeners listening = listeners.and(requests.current());
        if (!Course.mayWait(charged, patience)) {
            return listening.decided(decideNow(charged));
        }
        if (onEventLoop()) {
            return listening.decided(EventLoop.decide(charged, patience, this::decideNow, waitRefused));
        }
        return new BlockingCall(counter, listening, threads, new Course(charged, patience)).decide();
    }

    /**
     * Decides a call of one limit like any other, only faster: where its numbers are at hand and it may not wait, nothing is
     * made for the question, and a denial that is known ahead costs nothing but the answer.
     */
    public Decision acquireBlocking(
            String limit,
            @Nullable String plan,
            String key,
            long cost,
            @Nullable Duration maxWait,
            Runnable waitRefused) {
        Limit numbers = limits.numbersAtHand(limit, plan, key);
        if (numbers == null || patience(maxWait).micros(numbers) > 0) {
            return acquireBlocking(List.of(new Ask(limit, plan, key, cost)), maxWait, waitRefused);
        }
        Listeners listening = listeners.and(requests.current());
        Denied known = store.knownDenial(numbers, key, cost);
        return listening.decided(known != null ? known : decideNow(List.of(Charge.of(numbers, key, cost))));
    }

    /** The denial that a call of one limit is known to get, which its listeners hear; {@code null}: it has to be decided. */
    @Nullable
    Denied knownDenial(Ask ask, @Nullable Duration maxWait) {
        Limit numbers = limits.numbersAtHand(ask.limit(), ask.plan(), ask.key());
        if (numbers == null || patience(maxWait).micros(numbers) > 0) {
            return null;
        }
        Denied known = store.knownDenial(numbers, ask.key(), ask.cost());
        if (known != null) {
            var unused = listeners.and(requests.current()).decided(known);
        }
        return known;
    }

    /** Decides a call without blocking; the stage completes when it may go ahead, and on the door's executor. */
    public CompletableFuture<Decision> acquire(List<Ask> asks, @Nullable Duration maxWait) {
        return acquire(asks, maxWait, executor);
    }

    /**
     * Decides a call without blocking. The stage is complete already if the store answers at once and no wait is due;
     * otherwise it completes on the executor when the call may go ahead. Completing it in any other way (cancelling it,
     * letting it time out) gives up, and back.
     *
     * @param executor where the caller goes on, and listeners are told: not a thread of the store's client
     */
    public CompletableFuture<Decision> acquire(List<Ask> asks, @Nullable Duration maxWait, Executor executor) {
        if (asks.size() == 1) {
            Denied known = knownDenial(asks.get(0), maxWait);
            if (known != null) {
                return CompletableFuture.completedFuture(known);
            }
        }
        Patience patience = patience(maxWait);
        CompletableFuture<Course> course = charges.belongElsewhere(asks)
                ? charges.elsewhere(asks).thenApply(found -> new Course(found, patience))
                : CompletableFuture.completedFuture(new Course(charges.here(asks), patience));
        return new PendingCall(counter, listeners.and(requests.current()), timer, course, executor).start();
    }

    /** Whether the current thread must never wait. */
    public boolean onEventLoop() {
        return onEventLoop.getAsBoolean();
    }

    /** The counters of a key, for code that looks after them beside its calls. */
    KeyCounters keyCounters() {
        return new KeyCounters(limits, store, charges);
    }

    /**
     * Releases everybody who waits with a {@link io.github.ratelimit.RateLimiterClosedException}, and gives back. Until it
     * is reopened, whoever would have to wait is released at once.
     */
    public void release() {
        timer.release();
        threads.release();
    }

    /** Lets calls wait again. */
    public void reopen() {
        timer.reopen();
        threads.reopen();
    }

    /** Releases everybody who waits, for good. */
    @Override
    public void close() {
        release();
        timer.close();
    }

    /** How many calls wait at this moment, blocked threads among them. */
    int waiting() {
        return timer.count() + threads.count();
    }

    /** How many alarms are set for calls that wait without a thread. */
    int alarms() {
        return timer.alarms();
    }

    private Decision decideNow(List<Charge> charges) {
        try {
            return store.acquireBlocking(charges, late -> counter.giveBack(new Answer(late, charges, null)));
        } catch (InterruptedException interruption) {
            throw BlockingCall.interrupted(interruption);
        } catch (ExecutionException failure) {
            throw Failures.toThrow(failure);
        }
    }

    private Patience patience(@Nullable Duration maxWait) {
        if (maxWait == null) {
            return unstated;
        }
        return maxWait.isZero() ? Patience.NONE : Patience.stated(maxWait);
    }
}
