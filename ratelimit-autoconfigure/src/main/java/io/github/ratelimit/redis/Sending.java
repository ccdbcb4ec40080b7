/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.util.List;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;

/** How a script is sent over a blocking connection: never twice, but where Redis says that it has not run it. */
interface Sending {

    /** Stands for all nodes there are, where they are not told apart. */
    Object ANY_NODE = "any node";

    /** As the connection itself sends. */
    Sending PLAIN = (connection, script, keys, keysAndArguments) -> {
        try {
            return connection.scriptingCommands().evalSha(script.sha(), ReturnType.MULTI, keys, keysAndArguments);
        } catch (RuntimeException e) {
            if (!RedisFailures.isNoScript(e)) {
                throw e;
            }
            return connection.scriptingCommands().eval(script.text(), ReturnType.MULTI, keys, keysAndArguments);
        }
    };

    /** Runs a script by EVALSHA, by EVAL where Redis does not know it. */
    List<Long> run(RedisConnection connection, Script script, int keys, byte[][] keysAndArguments);

    /** The node that answers for a key, as far as that is known without asking. */
    default Object node(byte[] key) {
        return ANY_NODE;
    }

    /** Whether something did not answer that can be looked for. */
    default boolean isLost() {
        return false;
    }

    /** Looks anew for what did not answer. */
    default void renew(RedisConnection connection) {}
}
