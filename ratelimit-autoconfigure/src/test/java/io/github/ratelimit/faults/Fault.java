/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.faults.TcpProxy.Reply;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** What can go wrong with Redis or the way to it: how a test does it, undoes it, and what has to be heard of it. */
@SuppressWarnings("ImmutableEnumChecker") // sets come from Set.of, and the actions have no state
enum Fault {
    REFUSED_AT_START("at start: connections refused", place -> place.way().shut(), "connection"),
    SLOW_FIRST_CONNECT("at start: 10 s later, each way", place -> place.way().delay(10_000), "timeout connection?"),
    REFUSED("Redis is gone: connections refused", place -> place.way().shut(), "connection"),
    BLACK_HOLE("nothing passes on any connection", place -> place.way().hold(), "timeout"),
    DEAD_CONNECTION(
            "present connections lead nowhere, new ones do",
            place -> place.way().holdPresentOnes(),
            "timeout"),
    LATENCY_10_MS("10 ms later, each way", place -> place.way().delay(10)),
    LATENCY_200_MS("200 ms later, each way", place -> place.way().delay(200), "timeout"),
    LATENCY_10_S("10 s later, each way", place -> place.way().delay(10_000), "timeout"),
    CONNECTIONS_RESET("all connections reset, once", place -> place.way().reset(), "connection?"),
    RESET_BEFORE_REPLY("each reply resets its connection", place -> place.way().replies(Reply.RESET), "connection"),
    RESET_AFTER_HALF(
            "half of each reply, then its connection is reset",
            place -> place.way().replies(Reply.HALF_AND_RESET),
            "connection"),
    HALF_REPLY("half of each reply, then nothing", place -> place.way().replies(Reply.HALF), "timeout"),
    SCRIPT_FLUSH("SCRIPT FLUSH, again and again", Place::flushScripts),
    CLIENT_PAUSE("CLIENT PAUSE", place -> place.tell("CLIENT", "PAUSE", "2000"), "timeout"),
    CLIENT_KILL("CLIENT KILL", place -> place.tell("CLIENT", "KILL", "TYPE", "normal"), "connection?"),
    FROZEN(
            "SIGSTOP for 30 s",
            place -> place.server().pause(),
            place -> place.server().resume(),
            "timeout"),
    KILLED(
            "SIGKILL, restart, data lost",
            place -> place.server().kill(),
            place -> place.server().restart(),
            "connection"),
    READONLY(
            "a replica now: READONLY",
            place -> place.tell("REPLICAOF", "127.0.0.1", "1"),
            place -> place.tell("REPLICAOF", "NO", "ONE"),
            "readonly"),
    OUT_OF_MEMORY(
            "OOM with noeviction",
            place -> place.tell("CONFIG", "SET", "maxmemory", "1"),
            place -> place.tell("CONFIG", "SET", "maxmemory", "0"),
            "oom"),
    LOADING(
            "restart with much to load: LOADING",
            Place::restartLoading,
            Place::awaitLoaded,
            "loading connection? timeout?"),
    BUSY("somebody's endless script: BUSY", Place::keepBusy, place -> place.tell("SCRIPT", "KILL"), "busy timeout?"),
    NO_PERMISSION(
            "the ACL user may no longer run scripts",
            place -> place.tell("ACL", "SETUSER", "default", "-evalsha", "-eval"),
            place -> place.tell("ACL", "SETUSER", "default", "+@all"),
            "noperm"),
    WRONG_TYPE("a list in our key", Place::putLists, place -> place.server().flush(), "wrongtype"),
    FOREIGN_BYTES("foreign bytes in our key", place -> place.putInOurKeys("not ours")),
    COUNTER_AHEAD("a counter of the year 2100 in our key", Place::putFuture, "clock"),
    CLOCK_BACK(
            "the clock of Redis half an hour back",
            place -> place.clock(Duration.ofMinutes(-30)),
            Place::clockRight,
            ""),
    CLOCK_FAR_BACK(
            "the clock of Redis a week back", place -> place.clock(Duration.ofDays(-7)), Place::clockRight, "clock"),
    CLOCK_AHEAD(
            "the clock of Redis ten years ahead",
            place -> place.clock(Duration.ofDays(3_652)),
            Place::clockRight,
            "clock"),
    EVICTED("our keys evicted", place -> place.server().flush());

    private final String title;
    private final Consumer<Place> inflict;
    private final Consumer<Place> cure;
    private final Set<String> causes;

    Fault(String title, Consumer<Place> inflict, String... causes) {
        this(title, inflict, place -> place.way().heal(), causes.length == 0 ? "" : causes[0]);
    }

    /** Causes that must be heard, apart by a space; with a question mark: that may be heard. */
    Fault(String title, Consumer<Place> inflict, Consumer<Place> cure, String causes) {
        this.title = title;
        this.inflict = inflict;
        this.cure = cure;
        this.causes = causes.isEmpty() ? Set.of() : Set.of(causes.split(" ", -1));
    }

    /** Whether it is there before the application is. */
    boolean isAtStart() {
        return this == REFUSED_AT_START || this == SLOW_FIRST_CONNECT;
    }

    /** Whether the scripts need a clock that can be moved. */
    boolean isOfClock() {
        return this == CLOCK_BACK || this == CLOCK_FAR_BACK || this == CLOCK_AHEAD;
    }

    /** Whether calls are kept away from Redis for sure. */
    boolean isOutage() {
        return !isToldOnce() && causes.stream().anyMatch(cause -> !cause.endsWith("?"));
    }

    /** Whether it is told for good, not as an outage that ends. */
    boolean isToldOnce() {
        return causes.contains("wrongtype") || causes.contains("clock");
    }

    /** How often a counter is unused again: a clock that jumps also jumps back. */
    int timesForgotten() {
        return switch (this) {
            case KILLED, LOADING, WRONG_TYPE, FOREIGN_BYTES, COUNTER_AHEAD, EVICTED -> 1;
            case CLOCK_FAR_BACK, CLOCK_AHEAD -> 2;
            default -> 0;
        };
    }

    /** How long it lasts. */
    Duration time() {
        return this == FROZEN ? Duration.ofSeconds(30) : Duration.ofMillis(2_500);
    }

    String title() {
        return title;
    }

    void inflict(Place place) {
        inflict.accept(place);
    }

    void cure(Place place) {
        cure.accept(place);
    }

    /** Whether what was heard is what had to be heard, and nothing else; but a busy machine may time out at any time. */
    boolean isExplainedBy(Set<String> heard) {
        for (String cause : heard) {
            if (!cause.equals("timeout") && !causes.contains(cause) && !causes.contains(cause + "?")) {
                return false;
            }
        }
        return causes.stream().allMatch(cause -> cause.endsWith("?") || heard.contains(cause));
    }
}
