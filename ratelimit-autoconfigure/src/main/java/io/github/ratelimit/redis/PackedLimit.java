/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.Limit;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A limit as the scripts take it, encoded once. */
final class PackedLimit {

    private final Counter counter;
    private final boolean digestKeys;
    private final boolean usual;
    private final byte[] numbers;
    private final byte[][] oneCall;
    private final byte[] beforeKey;
    private final byte[] afterKey;

    /**
     * Encodes a limit.
     *
     * @param prefix what names begin with
     * @param loneIntegers whether the client reads an integer that stands alone
     */
    PackedLimit(Limit limit, String prefix, boolean loneIntegers) {
        this.counter = Counter.of(limit);
        this.digestKeys = limit.digestKeys();
        this.usual = counter.isUsual(limit);
        this.beforeKey = RedisKeys.before(prefix, limit).getBytes(StandardCharsets.UTF_8);
        this.afterKey = ("}:" + limit.shape()).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(counter.code());
        all.writeBytes(pack(counter.numbers(limit)));
        if (usual) {
            all.writeBytes(pack(limit.ticksPerPermit(), limit.ticksWhenSpent()));
            all.writeBytes("%03d".formatted(limit.fingerprint()).getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(new byte[loneIntegers ? 1 : 0]);
        }
        this.numbers = all.toByteArray();
        this.oneCall = new byte[][] {numbers};
    }

    Counter counter() {
        return counter;
    }

    /** Whether its calls may be decided ahead of all else. */
    boolean isUsual() {
        return usual;
    }

    /** The script argument: one byte that names the counter, then its numbers, then what its usual calls need. */
    byte[] numbers() {
        return numbers;
    }

    /** The arguments of calls in turn, by their packed costs. */
    byte[][] inTurn(byte[] costs) {
        return new byte[][] {numbers, costs};
    }

    /** The arguments of a single call in turn, of which the usual one has but one. Not to be changed. */
    byte[][] inTurn(long cost) {
        return cost == 1 ? oneCall : inTurn(pack(cost));
    }

    byte[] key(String key) {
        byte[] tag = RedisKeys.tag(key, digestKeys).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream name = new ByteArrayOutputStream(beforeKey.length + tag.length + afterKey.length);
        name.writeBytes(beforeKey);
        name.writeBytes(tag);
        name.writeBytes(afterKey);
        return name.toByteArray();
    }

    /** Whole numbers below 2^53 as doubles, one behind the other, little end first: what {@code struct.unpack('<d…')} reads. */
    static byte[] pack(long... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            buffer.putDouble((double) value);
        }
        return buffer.array();
    }
}
