/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.Reservation.Hold;
import io.github.ratelimit.algorithm.Locks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts in Redis, by Redis's clock, so that every instance of the application shares the count.
 *
 * <p>All charges of a call that live in one place are one script and one trip. In a Redis Cluster that is one trip per
 * slot, see {@link SlotBySlot}.
 */
public final class RedisRateLimitStore implements RateLimitStore, AutoCloseable {

    private static final byte[] ACQUIRE = "acquire".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RESERVE = "reserve".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SPARE = "spare".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PEEK = "peek".getBytes(StandardCharsets.US_ASCII);

    private static final Limit UNUSED = Limit.named("unused")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .permits(1)
            .period(Duration.ofSeconds(1))
            .build();

    private final RedisTransport transport;
    private final Scripts scripts;
    private final ChargeBook book;
    private final LongAdder clockHealings = new LongAdder();
    private volatile Runnable onHealing = () -> {};

    /** A store whose keys begin with the prefix. */
    public RedisRateLimitStore(RedisTransport transport, String keyPrefix) {
        this(transport, keyPrefix, new Scripts());
    }

    RedisRateLimitStore(RedisTransport transport, String keyPrefix, Scripts scripts) {
        this.transport = transport;
        this.scripts = scripts;
        this.book = new ChargeBook(keyPrefix, transport.readsLoneIntegers());
    }

    @Override
    public CompletionStage<Decision> acquire(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        if (all.size() == 1 && all.get(0).charge().maxWaitMicros() == 0) {
            return acquireAtOnce(all.get(0));
        }
        return spansSlots(all)
                ? new SlotBySlot(this).acquire(all).thenApply(Reservation::decision)
                : decide(ACQUIRE, all).thenApply(tally -> Decision.together(tally.parts()));
    }

    @Override
    public CompletionStage<Reservation> reserve(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        return spansSlots(all) ? new SlotBySlot(this).acquire(all) : reserveTogether(all);
    }

    @Override
    public CompletionStage<Decision> peek(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        return spansSlots(all)
                ? new SlotBySlot(this).peek(all).thenApply(Decision::together)
                : peekTogether(all).thenApply(Decision::together);
    }

    @Override
    public CompletionStage<PartialGrant> acquireUpTo(Charge charge) {
        List<RedisCharge> one = book.enter(List.of(charge));
        RedisCharge wanted = one.get(0);
        byte[][] arguments = {wanted.packed().numbers(), decimal(wanted.exactCost())};
        return run(Operation.UP_TO, one, arguments).thenApply(reply -> {
            long granted = reply.get(0);
            long cost = granted == 0 && charge.cost() > 0 ? 1 : granted;
            Charge told = Charge.of(charge.limit(), charge.key(), cost);
            Tally tally = new Tally(List.of(new RedisCharge(told, wanted.packed(), wanted.key())), reply, 1);
            noteHealed(tally);
            return new PartialGrant(granted, Decision.together(tally.parts()));
        });
    }

    @Override
    public CompletionStage<Long> cancel(Reservation reservation) {
        List<RedisCharge> all = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        for (Hold hold : reservation.holds()) {
            RedisCharge charge = book.enter(List.of(hold.charge())).get(0);
            all.add(charge);
            arguments.add(PackedLimit.pack(
                    charge.exactCost(),
                    hold.dueMicros() / 1_000_000,
                    hold.dueMicros() % 1_000_000,
                    hold.dueFraction()));
        }
        return new SlotBySlot(this).cancel(all, arguments);
    }

    @Override
    public CompletionStage<Decision> refund(List<Charge> charges) {
        List<RedisCharge> all = book.enter(charges);
        return new SlotBySlot(this).refund(all).thenApply(Decision::together);
    }

    @Override
    public CompletionStage<Void> reset(Limit limit, String key) {
        return transport.delete(
                book.enter(List.of(Charge.of(limit, key, 0))).get(0).key());
    }

    @Override
    public CompletionStage<Void> lock(Limit limit, String key, Duration duration) {
        long micros = Locks.micros(limit, duration);
        if (micros == 0) {
            return CompletableFuture.completedFuture(null);
        }
        List<RedisCharge> one = book.enter(List.of(Charge.of(limit, key, 0)));
        byte[][] arguments = {one.get(0).packed().numbers(), decimal(micros)};
        return run(Operation.LOCK, one, arguments).thenAccept(reply -> {});
    }

    /**
     * Decides calls of one limit and key in this order, in one trip: each as if it had come alone, one after the other, in
     * the same instant.
     *
     * @param charges one per call, all of one limit and key; none waits
     */
    public CompletionStage<List<Decision>> acquireInTurn(List<Charge> charges) {
        List<RedisCharge> first = book.enter(charges.subList(0, 1));
        PackedLimit limit = first.get(0).packed();
        byte[] key = first.get(0).key();
        List<RedisCharge> all = new ArrayList<>(charges.size());
        long[] costs = new long[charges.size()];
        for (int i = 0; i < costs.length; i++) {
            all.add(new RedisCharge(charges.get(i), limit, key));
            costs[i] = all.get(i).exactCost();
        }
        return run(Operation.IN_TURN, first, limit.inTurn(PackedLimit.pack(costs)))
                .thenApply(reply -> {
                    List<Decision> decisions = new ArrayList<>(costs.length);
                    for (int i = 0; i < costs.length; i++) {
                        decisions.add(inTurn(all.get(i), reply, i, costs.length));
                    }
                    return decisions;
                });
    }

    /** A call of one limit that does not wait: the only one in its turn. */
    private CompletionStage<Decision> acquireAtOnce(RedisCharge charge) {
        return run(Operation.IN_TURN, List.of(charge), charge.packed().inTurn(charge.exactCost()))
                .thenApply(reply -> inTurn(charge, reply, 0, 1));
    }

    private Decision inTurn(RedisCharge charge, List<Long> reply, int turn, int turns) {
        if (reply.size() == turns) {
            return Decision.together(List.of(Tally.usual(charge.charge(), reply.get(turn))));
        }
        Tally tally = new Tally(List.of(charge), reply, turn * Tally.WIDTH);
        noteHealed(tally);
        return Decision.together(tally.parts());
    }

    /** Whether calls answer on the caller's thread, and keep it until then. */
    public boolean isBlocking() {
        return transport.isBlocking();
    }

    /**
     * Opens the connection and looks at a counter nobody uses, so that the first call need not wait for anything; ends
     * exceptionally where Redis does not answer, or not us.
     */
    public CompletionStage<Void> prepare() {
        return transport
                .prepare()
                .thenCompose(open -> peek(List.of(Charge.of(UNUSED, "", 0))))
                .thenAccept(seen -> {});
    }

    /** Which part of Redis a call concerns, a number below 128: in a cluster a range of slots, elsewhere always 0. */
    public int route(List<Charge> charges) {
        return transport.isClustered() ? Slots.route(book.enter(charges)) : 0;
    }

    /** Redis does not answer: looks for it anew, beside what is under way. May be called often. */
    public void renew() {
        transport.renew();
    }

    /** Closes the connections there are; the next call opens another. */
    public void disconnect() {
        transport.disconnect();
    }

    /** Who wants to know whenever a state lay too far in the future to be believed, and counted as unused. */
    public void onHealing(Runnable listener) {
        onHealing = listener;
    }

    /** How many states lay too far in the future to be believed and counted as unused. */
    public long clockHealings() {
        return clockHealings.sum();
    }

    @Override
    public void close() {
        transport.close();
    }

    private boolean spansSlots(List<RedisCharge> charges) {
        return charges.size() > 1
                && transport.isClustered()
                && Slots.of(charges).size() > 1;
    }

    boolean isClustered() {
        return transport.isClustered();
    }

    CompletionStage<Reservation> reserveTogether(List<RedisCharge> charges) {
        return decide(RESERVE, charges).thenApply(tally -> {
            Decision decision = Decision.together(tally.parts());
            return new Reservation(decision, tally.granted() ? tally.holds() : List.of());
        });
    }

    CompletionStage<List<Decision>> peekTogether(List<RedisCharge> charges) {
        return decide(PEEK, charges).thenApply(Tally::parts);
    }

    /** The answers to a call that is denied elsewhere. */
    CompletionStage<List<Decision>> spareTogether(List<RedisCharge> charges) {
        return decide(SPARE, charges).thenApply(tally -> tally.parts(false));
    }

    CompletionStage<List<Decision>> refundTogether(List<RedisCharge> charges) {
        byte[][] arguments = new byte[2 * charges.size()][];
        List<RedisCharge> told = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            RedisCharge charge = charges.get(i);
            arguments[2 * i] = charge.packed().numbers();
            arguments[2 * i + 1] = decimal(charge.exactCost());
            told.add(new RedisCharge(
                    Charge.of(charge.charge().limit(), charge.charge().key(), 0), charge.packed(), charge.key()));
        }
        return run(Operation.REFUND, charges, arguments).thenApply(reply -> {
            Tally tally = new Tally(told, reply, 0);
            noteHealed(tally);
            return tally.parts();
        });
    }

    CompletionStage<Long> cancelTogether(List<RedisCharge> charges, List<byte[]> dues) {
        byte[][] arguments = new byte[2 * charges.size()][];
        for (int i = 0; i < charges.size(); i++) {
            arguments[2 * i] = charges.get(i).packed().numbers();
            arguments[2 * i + 1] = dues.get(i);
        }
        return run(Operation.CANCEL, charges, arguments)
                .thenApply(reply -> reply.stream().mapToLong(Long::longValue).sum());
    }

    private CompletionStage<Tally> decide(byte[] mode, List<RedisCharge> charges) {
        byte[][] arguments = new byte[2 * charges.size() + 1][];
        arguments[0] = mode;
        for (int i = 0; i < charges.size(); i++) {
            arguments[2 * i + 1] = charges.get(i).packed().numbers();
            arguments[2 * i + 2] = charges.get(i).costAndWait();
        }
        return run(Operation.ACQUIRE, charges, arguments).thenApply(reply -> {
            Tally tally = new Tally(charges, reply, 0);
            noteHealed(tally);
            return tally;
        });
    }

    private CompletionStage<List<Long>> run(Operation operation, List<RedisCharge> charges, byte[][] arguments) {
        Script script = charges.size() == 1
                ? scripts.one(operation, charges.get(0).packed().counter())
                : scripts.several(operation);
        byte[][] keys = new byte[charges.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = charges.get(i).key();
        }
        return transport.run(script, keys, arguments);
    }

    private void noteHealed(Tally tally) {
        int healed = tally.healed();
        if (healed > 0) {
            clockHealings.add(healed);
            onHealing.run();
        }
    }

    private static byte[] decimal(long whole) {
        return Long.toString(whole).getBytes(StandardCharsets.US_ASCII);
    }
}
