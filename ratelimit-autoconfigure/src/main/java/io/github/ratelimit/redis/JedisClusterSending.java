/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * A script on the master that has its keys' slot, through Jedis. Jedis' own commands on a cluster are sent again when the
 * answer does not come in time, and the charge is then made as often. These are sent again only where a node says that it
 * has run nothing: {@code MOVED}, {@code ASK}, {@code NOSCRIPT}.
 *
 * <p>Where the slots are only Jedis knows, and it looks for them when a command of its own fails. So one that charges
 * nothing is sent, and may be repeated: after {@code MOVED} at once, after a failure when a {@link #renew} is asked for.
 */
final class JedisClusterSending implements Sending {

    private static final int MOST_REDIRECTIONS = 5;

    /** A key whose node did not answer. */
    private volatile byte @Nullable [] unanswered;

    /** From the first call on. */
    private volatile @Nullable JedisNodes known;

    @Override
    public List<Long> run(RedisConnection connection, Script script, int keys, byte[][] keysAndArguments) {
        JedisNodes nodes = JedisNodes.behind(connection);
        if (nodes == null) {
            return PLAIN.run(connection, script, keys, keysAndArguments);
        }
        known = nodes;
        byte[] key = keysAndArguments[0];
        try {
            return integers(send(nodes, key, command(Command.EVALSHA, script.sha(), keys, keysAndArguments)));
        } catch (JedisNoScriptException e) {
            return integers(send(nodes, key, command(Command.EVAL, script.text(), keys, keysAndArguments)));
        }
    }

    @Override
    public Object node(byte[] key) {
        JedisNodes nodes = known;
        HostAndPort node = nodes == null ? null : nodes.node(key);
        return node == null ? ANY_NODE : node;
    }

    @Override
    public boolean isLost() {
        return unanswered != null;
    }

    @Override
    public void renew(RedisConnection connection) {
        byte[] key = unanswered;
        JedisNodes nodes = JedisNodes.behind(connection);
        if (key != null && nodes != null) {
            unanswered = null;
            nodes.look(key);
        }
    }

    private Object send(JedisNodes nodes, byte[] key, CommandArguments command) {
        JedisRedirectionException redirection = null;
        for (int i = 0; i <= MOST_REDIRECTIONS; i++) {
            try (Connection node =
                    redirection == null ? nodes.connection(key) : nodes.connection(redirection.getTargetNode())) {
                if (redirection instanceof JedisAskDataException) {
                    node.executeCommand(Command.ASKING);
                }
                return node.executeCommand(command);
            } catch (JedisMovedDataException moved) {
                nodes.look(key);
                redirection = moved;
            } catch (JedisAskDataException ask) {
                redirection = ask;
            } catch (JedisConnectionException e) {
                unanswered = key;
                throw e;
            }
        }
        throw redirection;
    }

    private static CommandArguments command(Command how, byte[] script, int keys, byte[][] keysAndArguments) {
        CommandArguments command = new CommandArguments(how).add(script).add(keys);
        for (byte[] each : keysAndArguments) {
            command.add(each);
        }
        return command;
    }

    @SuppressWarnings("unchecked") // our scripts reply with arrays of integers only
    private static List<Long> integers(Object reply) {
        return (List<Long>) reply;
    }
}
