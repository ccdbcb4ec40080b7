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
    private final byte[] numbers;
    private final byte[][] usual;
    private final byte[][] oneCall;
    private final byte[] beforeKey;
    private final byte[] afterKey;

    PackedLimit(Limit limit, String prefix) {
        this.counter = Counter.of(limit);
        this.digestKeys = limit.digestKeys();
        this.beforeKey = RedisKeys.before(prefix, limit).getBytes(StandardCharsets.UTF_8);
        this.afterKey = ("}:" + limit.shape()).getBytes(StandardCharsets.UTF_8);
        byte[] packed = pack(counter.numbers(limit));
        this.numbers = new byte[packed.length + 1];
        numbers[0] = (byte) counter.code();
        System.arraycopy(packed, 0, numbers, 1, packed.length);
        this.usual = counter.isUsual(limit)
                ? new byte[][] {
                    pack(limit.ticksPerPermit(), limit.ticksWhenSpent()),
                    "%03d".formatted(limit.fingerprint()).getBytes(StandardCharsets.US_ASCII)
                }
                : new byte[0][];
        this.oneCall = inTurn(pack(1));
    }

    Counter counter() {
        return counter;
    }

    /** The script argument: one byte that names the counter, then its numbers. */
    byte[] numbers() {
        return numbers;
    }

    /** The arguments of calls in turn, by their packed costs. */
    byte[][] inTurn(byte[] costs) {
        byte[][] arguments = new byte[2 + usual.length][];
        arguments[0] = numbers;
        arguments[1] = costs;
        System.arraycopy(usual, 0, arguments, 2, usual.length);
        return arguments;
    }

    /** The arguments of a single call in turn. Not to be changed. */
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
