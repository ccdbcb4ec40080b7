/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.RateLimitStoreException;
import java.util.Map;
import java.util.Set;

/** A few short texts by name, which all instances read and change. Every call may block, but not for long. */
public interface SharedNotes extends AutoCloseable {

    /** More notes than anybody writes: more are not read. */
    int MOST = 1_000;

    /**
     * All notes.
     *
     * @throws RateLimitStoreException if they cannot be reached
     * @throws IllegalStateException if what is there are no notes
     */
    Map<String, String> read();

    /**
     * Writes a note, and lets all instances know.
     *
     * @throws RateLimitStoreException if it may not have been written
     */
    void write(String name, String text);

    /**
     * Removes notes, and lets all instances know.
     *
     * @throws RateLimitStoreException if they may be there still
     */
    void remove(Set<String> names);

    /** Who is to be called, on any thread, when somebody else has changed a note. Not every change is heard of. */
    void onChange(Runnable heard);

    @Override
    void close();
}
