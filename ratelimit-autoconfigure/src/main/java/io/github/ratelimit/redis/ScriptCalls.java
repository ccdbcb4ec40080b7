/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Decision;
import io.github.ratelimit.PartialGrant;
import io.github.ratelimit.Reservation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls the scripts: charges that live in one place become keys and arguments, the reply becomes decisions. Every method is
 * one trip.
 */
final class ScriptCalls {

    private static final byte[] ACQUIRE = "acquire".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RESERVE = "reserve".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SPARE = "spare".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PEEK = "peek".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final RedisTransport transport;
    private final Scripts scripts;
    private volatile Runnable onHealing = () -> {};

    ScriptCalls(RedisTransport transport, Scripts scripts) {
        this.transport = transport;
        this.scripts = scripts;
    }

    /** Who wants to know whenever a state lay too far in the future to be believed, and counted as unused. */
    void onHealing(Runnable listener) {
        onHealing = listener;
    }

    boolean isClustered() {
        return transport.isClustered();
    }

    /** A call of one limit that does not wait: the only one in its turn. */
    CompletionStage<Decision> acquireAtOnce(RedisCharge charge) {
        return run(Operation.IN_TURN, List.of(charge), charge.packed().inTurn(charge.exactCost()))
                .thenApply(reply ->
                        reply.size() == 1 ? Tally.usual(charge.charge(), reply.get(0)) : inTurn(charge, reply, 0));
    }

    /** Calls of one counter, one after the other in the same instant; none waits. */
    CompletionStage<List<@Nullable Decision>> acquireInTurn(CallsInTurn calls) {
        RedisCharge first = calls.first();
        byte[][] arguments = calls.count() == 1
                ? first.packed().inTurn(first.exactCost())
                : first.packed().inTurn(calls.costs());
        return run(Operation.IN_TURN, List.of(first), arguments).thenApply(reply -> inTurn(calls, reply));
    }

    /**
     * Usual calls on several counters in the same instant, those of each one after the other. A counter that is not as usual
     * (it is locked, or was written by other numbers) is left undecided: {@code null} for each of its calls.
     */
    CompletionStage<List<List<@Nullable Decision>>> acquireTogether(List<CallsInTurn> counters) {
        List<RedisCharge> firsts = new ArrayList<>(counters.size());
        List<byte[]> arguments = new ArrayList<>(2 * counters.size());
        PackedLimit before = null;
        for (CallsInTurn calls : counters) {
            PackedLimit limit = calls.first().packed();
            firsts.add(calls.first());
            arguments.add(limit == before ? NOTHING : limit.numbers());
            arguments.add(calls.costs());
            before = limit;
        }
        Script script = scripts.one(Operation.IN_TURN, firsts.get(0).packed().counter());
        return run(script, firsts, withoutEmptyEnd(arguments)).thenApply(reply -> together(counters, reply));
    }

    private static byte[][] withoutEmptyEnd(List<byte[]> arguments) {
        int size = arguments.size();
        while (arguments.get(size - 1).length == 0) {
            size--;
        }
        return arguments.subList(0, size).toArray(byte[][]::new);
    }

    private static List<List<@Nullable Decision>> together(List<CallsInTurn> counters, List<Long> reply) {
        List<List<@Nullable Decision>> answers = new ArrayList<>(counters.size());
        int at = 0;
        for (CallsInTurn calls : counters) {
            answers.add(calls.usual(reply, at));
            at += calls.told();
        }
        return answers;
    }

    private List<@Nullable Decision> inTurn(CallsInTurn calls, List<Long> reply) {
        if (reply.size() == calls.told()) {
            return calls.usual(reply, 0);
        }
        List<@Nullable Decision> decisions = new ArrayList<>(calls.count());
        for (int i = 0; i < calls.count(); i++) {
            decisions.add(inTurn(calls.call(i), reply, i));
        }
        return decisions;
    }

    private Decision inTurn(RedisCharge charge, List<Long> reply, int turn) {
        return Decision.together(
                tally(List.of(charge), reply, turn * Tally.WIDTH).parts());
    }

    CompletionStage<Decision> acquire(List<RedisCharge> charges) {
        return decide(ACQUIRE, charges).thenApply(tally -> Decision.together(tally.parts()));
    }

    CompletionStage<Reservation> reserve(List<RedisCharge> charges) {
        return decide(RESERVE, charges).thenApply(tally -> {
            Decision decision = Decision.together(tally.parts());
            return new Reservation(decision, tally.granted() ? tally.holds() : List.of());
        });
    }

    CompletionStage<List<Decision>> peek(List<RedisCharge> charges) {
        return decide(PEEK, charges).thenApply(Tally::parts);
    }

    /** The answers to a call that is denied elsewhere. */
    CompletionStage<List<Decision>> spare(List<RedisCharge> charges) {
        return decide(SPARE, charges).thenApply(tally -> tally.parts(false));
    }

    CompletionStage<PartialGrant> acquireUpTo(RedisCharge wanted) {
        byte[][] arguments = {wanted.packed().numbers(), decimal(wanted.exactCost())};
        return run(Operation.UP_TO, List.of(wanted), arguments).thenApply(reply -> {
            long granted = reply.get(0);
            RedisCharge told = wanted.costing(granted == 0 && wanted.charge().cost() > 0 ? 1 : granted);
            return new PartialGrant(
                    granted, Decision.together(tally(List.of(told), reply, 1).parts()));
        });
    }

    CompletionStage<List<Decision>> refund(List<RedisCharge> charges) {
        byte[][] arguments = new byte[2 * charges.size()][];
        List<RedisCharge> told = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            RedisCharge charge = charges.get(i);
            arguments[2 * i] = charge.packed().numbers();
            arguments[2 * i + 1] = decimal(charge.exactCost());
            told.add(charge.costing(0));
        }
        return run(Operation.REFUND, charges, arguments)
                .thenApply(reply -> tally(told, reply, 0).parts());
    }

    /** Cancels what was charged and tells how many permits were given back; the dues are {@link RedisCharge#due}. */
    CompletionStage<Long> cancel(List<RedisCharge> charges, List<byte[]> dues) {
        return runCancel(charges, dues)
                .thenApply(reply -> reply.stream()
                        .limit(charges.size())
                        .mapToLong(Long::longValue)
                        .sum());
    }

    /** Cancels what was charged and tells what a call of cost 0 would be told now. */
    CompletionStage<List<Decision>> takeBack(List<RedisCharge> charges, List<byte[]> dues) {
        List<RedisCharge> told =
                charges.stream().map(charge -> charge.costing(0)).toList();
        return runCancel(charges, dues)
                .thenApply(reply -> tally(told, reply, charges.size()).parts());
    }

    private CompletionStage<List<Long>> runCancel(List<RedisCharge> charges, List<byte[]> dues) {
        byte[][] arguments = new byte[2 * charges.size()][];
        for (int i = 0; i < charges.size(); i++) {
            arguments[2 * i] = charges.get(i).packed().numbers();
            arguments[2 * i + 1] = dues.get(i);
        }
        return run(Operation.CANCEL, charges, arguments);
    }

    CompletionStage<Void> lock(RedisCharge charge, long micros) {
        byte[][] arguments = {charge.packed().numbers(), decimal(micros)};
        return run(Operation.LOCK, List.of(charge), arguments).thenAccept(reply -> {});
    }

    private CompletionStage<Tally> decide(byte[] mode, List<RedisCharge> charges) {
        byte[][] arguments = new byte[2 * charges.size() + 1][];
        arguments[0] = mode;
        for (int i = 0; i < charges.size(); i++) {
            arguments[2 * i + 1] = charges.get(i).packed().numbers();
            arguments[2 * i + 2] = charges.get(i).costAndWait();
        }
        return run(Operation.ACQUIRE, charges, arguments).thenApply(reply -> tally(charges, reply, 0));
    }

    private CompletionStage<List<Long>> run(Operation operation, List<RedisCharge> charges, byte[][] arguments) {
        Script script = charges.size() == 1
                ? scripts.one(operation, charges.get(0).packed().counter())
                : scripts.several(operation);
        return run(script, charges, arguments);
    }

    private CompletionStage<List<Long>> run(Script script, List<RedisCharge> charges, byte[][] arguments) {
        byte[][] keys = new byte[charges.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = charges.get(i).key();
        }
        return transport.run(script, keys, arguments);
    }

    private Tally tally(List<RedisCharge> charges, List<Long> reply, int offset) {
        Tally tally = new Tally(charges, reply, offset);
        if (tally.healed()) {
            onHealing.run();
        }
        return tally;
    }

    private static byte[] decimal(long whole) {
        return Long.toString(whole).getBytes(StandardCharsets.US_ASCII);
    }
}
