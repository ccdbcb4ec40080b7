/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

/** What stands before a target: what was tried, and what limits it. */
enum Obstacle {
    FEW_CALLERS("""
            With two to four callers everything is the time of a trip: waking a thread, a system call on either side, the script. A script that decides
            runs three commands more than one that does not, and calls that come together wait for one another's scripts. With four callers one takes
            Redis 4.5 µs, of which the write with its time to live is most, and `return 1` 0.6 µs (`INFO commandstats`; sent in hundreds 2.2 µs and 0.6 µs):
            that is the difference. Tried, and kept: calls that leave from
            the connection's own thread, together with those that come before it has time (an eighth more). Tried, and left: one to three
            callers alone in place of four, one trip at a time, two trips for all callers of a key, two connections, one to twenty more looks whether somebody
            else has come before a call leaves; in the script a straight line for
            the usual call alone, a time to live that is not worked out, and `SET` with the instant of expiry in place of `PSETEX`: within the noise.
            """),
    ONE_KEY("""
            Redis has next to nothing to do: what is left is a thread for each caller to be woken, and what the application does for a decision
            (its promise, the timer, the listeners). bucket4j has no timer and no listener, and no deadline. Tried, and kept: an alarm for each trip in place of
            one for each call, trips of one size, callers who do by themselves what follows an answer, virtual threads that are told by one of them, and
            one number in place of one for each call in what Redis is told and tells. Tried, and left: one trip at a time, three, two connections, a
            second trip that is twice or three times as large as the first, or half as large, two to four virtual threads that tell the others, and calls
            of virtual threads that leave from the connection's own thread.
            """),
    MANY_KEYS("""
            Calls on different keys share trips: `EVALSHA`, `TIME` and the one read of all keys are shared, each key is written by itself. What is left is a thread to be woken for each caller: by the samples of the operating system waking threads, and switching to them,
            takes more than all else that the JVM and Redis do, and each processor is idle for a part of the time. Tried, and left: a second trip
            with half, a quarter or any number of the first one's calls, three and four trips, and callers who wake one or more of the others as
            soon as they are awake: within the noise.
            """),
    REDIS_TIME("""
            Of what Redis does for a decision in a shared trip most is the write with a time to live, which exactness needs. Tried: fewer and shorter
            arguments, one integer for a reply, text instead of numbers, deciding ahead of all functions, and functions of Redis (`FCALL`, which wants more
            rights than it saves).
            """),
    DENIED("""
            A denial from memory is a reading of the clock, two reads of the memory, the answer (48 bytes), a counter and the listeners; by annotation also
            Spring's proxy, which takes 96 bytes of its own where nobody decides anything, and the exception (56), which is carried through its
            frames, and that takes longer than all the rest. Tried, and kept: listeners that read no clock, and an exception that is thrown as far
            out as the gate reaches. With many keys it takes twice as long in one JVM as in another: where the compiler has made one piece of caller,
            proxy and gate the exception is a jump; where it has made several, the JVM looks up who handles it at the edge of each.
            Tried, and left: a place for each listener in the code that tells them; fewer calls within calls on the way to the memory;
            parts of the gate that the compiler must leave out of others: within what changes from JVM to JVM. With no listener at all a denial by
            code takes a tenth less. Where there are many keys most of its time is fetching what is remembered from memory.
            Of a denial that goes on Redis is asked beside the calls, four times in three seconds for each key, so that what others give back is heard
            of. bucket4j's proxies ask nobody until their own clock, in milliseconds, has refilled the bucket, and tell nobody.
            """),
    KEY_BYTES("""
            What is kept is what exactness needs: see `docs/algorithms.md`.
            """);

    private final String text;

    Obstacle(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Of a target, by what it says. */
    static Obstacle of(String what) {
        if (what.contains("bytes for each key")) {
            return KEY_BYTES;
        } else if (what.contains("Redis CPU")) {
            return REDIS_TIME;
        } else if (what.contains("denied")) {
            return DENIED;
        } else if (what.startsWith("one key")) {
            boolean few = what.contains(", " + Callers.TWO.title()) || what.contains(", " + Callers.FOUR.title());
            return few ? FEW_CALLERS : ONE_KEY;
        }
        return MANY_KEYS;
    }
}
