/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.store;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a store gave no answer, told from what its client throws. */
public enum StoreFailure {
    TIMEOUT(
            "Redis does not answer in time",
            "See whether it runs, is overloaded or far away; ratelimit.store-timeout says how long a decision may take."),
    CONNECTION("Redis cannot be reached", "Check that it runs, and spring.data.redis.*."),
    NOSCRIPT("Redis does not keep our scripts", "Allow EVAL beside EVALSHA."),
    READONLY("Redis is a read-only replica", "Connect to the master; after a failover this passes by itself."),
    NOREPLICAS(
            "Redis has too few replicas to write",
            "See min-replicas-to-write; where this is a master no longer, a failover cures it."),
    CLUSTERDOWN("Redis Cluster does not serve all slots", "A failover cures it; else see CLUSTER INFO."),
    LOADING("Redis is loading its data", "This passes by itself."),
    OOM("Redis has no memory left", "Raise maxmemory, or choose an eviction policy."),
    BUSY("Redis is busy with somebody's script", "Find it with SLOWLOG, end it with SCRIPT KILL."),
    /** One key's own failure: the store is well. */
    WRONGTYPE("A key of ours in Redis holds something else", "Give ratelimit.key-prefix a value nobody else uses."),
    NOPERM(
            "Redis refuses our user",
            "Check the credentials in spring.data.redis.*, and what the ACL user may do (ACL LOG)."),
    /** A counter in the absurd future, taken for unused. No failed call: stores count these themselves. */
    CLOCK("The clock of Redis has jumped", "Check its time synchronisation."),
    OTHER("Redis cannot answer", "The debug log of this class has each failure.");

    static final int DEEPEST_CAUSE = 10;

    private static final Pattern CODE = Pattern.compile(
            "\\b(NOSCRIPT|READONLY|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|LOADING|OOM|BUSY|WRONGTYPE|NOPERM|NOAUTH|WRONGPASS)\\b");

    /** What a command inside a script is refused with, which has no code of its own. */
    private static final Pattern REFUSED_IN_SCRIPT =
            Pattern.compile("(ACL failure in script|user executing the script can't)");

    private static final Pattern CONNECTED =
            Pattern.compile("(?i)\\b(not connected|connection (is )?(closed|disconnected))\\b");

    private final String says;
    private final String cure;

    StoreFailure(String says, String cure) {
        this.says = says;
        this.cure = cure;
    }

    /** The value of the metric's tag. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What kind of failure this is. */
    public static StoreFailure of(Throwable failure) {
        StoreFailure guess = OTHER;
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            StoreFailure code = byCode(cause.getMessage());
            if (code != null) {
                return code;
            }
            StoreFailure kind = byKind(cause);
            // The innermost exception knows best; only a timeout is never less than that.
            guess = kind == OTHER || guess == TIMEOUT ? guess : kind;
            cause = cause.getCause();
        }
        return guess;
    }

    private static @Nullable StoreFailure byCode(@Nullable String message) {
        String said = message == null ? "" : message;
        Matcher code = CODE.matcher(said);
        if (!code.find()) {
            return REFUSED_IN_SCRIPT.matcher(said).find() ? NOPERM : null;
        }
        return switch (code.group()) {
            case "NOAUTH", "WRONGPASS" -> NOPERM;
            case "MASTERDOWN" -> READONLY;
            default -> valueOf(code.group());
        };
    }

    /** Clients have exceptions of their own, which cannot be named here: their names tell. */
    private static StoreFailure byKind(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        if (failure instanceof TimeoutException || name.contains("Timeout")) {
            return TIMEOUT;
        }
        return failure instanceof IOException || name.contains("Connection") || isOfConnection(failure.getMessage())
                ? CONNECTION
                : OTHER;
    }

    /** Lettuce has one exception for everything: "Currently not connected", "Connection closed". */
    private static boolean isOfConnection(@Nullable String message) {
        return message != null && CONNECTED.matcher(message).find();
    }

    /** Whether the store is well, and only this call's key is not. */
    boolean isOfOneKey() {
        return this == WRONGTYPE;
    }

    /** Whether what writes nothing, such as a denial, may be answered all the same. */
    boolean isOfWrites() {
        return this == READONLY || this == NOREPLICAS || this == OOM;
    }

    /** Whether another server may be the one to ask. */
    boolean isOfTheWay() {
        return this == CONNECTION || this == TIMEOUT || this == READONLY || this == NOREPLICAS;
    }

    String says() {
        return says;
    }

    String cure() {
        return cure;
    }
}
