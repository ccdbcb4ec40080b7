/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.util.ArrayList;
import java.util.List;

/** Reads what our scripts reply: integers, in an array or one alone. Anything else is refused, as a proxy's answer would be. */
final class IntegersOutput extends CommandOutput<byte[], byte[], List<Long>> {

    IntegersOutput() {
        super(ByteArrayCodec.INSTANCE, new ArrayList<>(0));
    }

    @Override
    public void multi(int count) {
        ((ArrayList<Long>) output).ensureCapacity(Math.max(count, 0));
    }

    @Override
    public void set(long integer) {
        output.add(integer);
    }
}
