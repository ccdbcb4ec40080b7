/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.OwnThreads;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.tuning.Overrides.Target;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Overrides that every instance has, kept as {@link SharedNotes}.
 *
 * <p>A thread of its own reads all of them whenever it hears of a change, and {@link #LOOK_EVERY_MILLIS} after the last
 * time in any case: a change nobody heard of, or that was made while this instance was cut off, is found then. While the
 * notes cannot be reached, what was read last holds. A note that is no override, or that this instance's limits cannot
 * work with, is left alone and ignored, with one warning.
 */
public final class SharedOverrides implements OverrideKeeper {

    static final long LOOK_EVERY_MILLIS = 500;

    /** How soon they are tried again that could not be reached. */
    static final long TRY_AGAIN_MILLIS = 200;

    private static final int MOST_WARNINGS = 100;

    private static final Logger log = LoggerFactory.getLogger(SharedOverrides.class);

    private final ReentrantLock changing = new ReentrantLock();
    private final DefinitionsInForce definitions;
    private final SharedNotes notes;
    private final Semaphore heard = new Semaphore(0);
    private final ThreadFactory threads = new OwnThreads("ratelimit-overrides");
    private final Set<String> warned = new HashSet<>();
    private final long lookEveryMillis;
    private Map<String, String> seen = Map.of();
    private Overrides stated = Overrides.NONE;
    private volatile @Nullable Thread reader;

    /** Overrides of this catalog's limits. */
    public SharedOverrides(LimitCatalog catalog, SharedNotes notes) {
        this(catalog, notes, LOOK_EVERY_MILLIS);
    }

    SharedOverrides(LimitCatalog catalog, SharedNotes notes, long lookEveryMillis) {
        this.definitions = catalog.definitions();
        this.notes = notes;
        this.lookEveryMillis = lookEveryMillis;
    }

    /** Begins to read, beside the caller's thread, and waits for the first time at most so long. Also after a close. */
    public void start(Duration atMost) {
        CountDownLatch read = new CountDownLatch(1);
        notes.onChange(heard::release);
        Thread thread = threads.newThread(() -> readOnAndOn(read));
        reader = thread;
        thread.start();
        try {
            if (!read.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                log.debug("The overrides are not known yet");
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void put(Target target, Numbers numbers) {
        definitions.checkKnown(target);
        changing.lock();
        try {
            Overrides next = definitions.overrides().with(target, numbers);
            definitions.tryOut(next);
            notes.write(OverrideText.name(target), OverrideText.text(numbers));
            definitions.overrideWhereFitting(next);
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void remove(String limit, @Nullable String plan) {
        Target target = new Target(limit, plan);
        changing.lock();
        try {
            Set<String> names = notes.read().keySet().stream()
                    .filter(name -> target.covers(OverrideText.target(name)))
                    .collect(Collectors.toSet());
            Overrides next = definitions.overrides().without(limit, plan);
            definitions.tryOut(next);
            if (names.isEmpty()) {
                definitions.checkKnown(target);
            } else {
                notes.remove(names);
            }
            definitions.overrideWhereFitting(next);
        } finally {
            changing.unlock();
        }
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void close() {
        Thread thread = reader;
        reader = null;
        if (thread != null) {
            thread.interrupt();
        }
        notes.close();
    }

    private void readOnAndOn(CountDownLatch read) {
        while (reader == Thread.currentThread()) {
            long pause = lookEveryMillis;
            try {
                look();
                read.countDown();
            } catch (RateLimitStoreException unreachable) {
                log.debug("The overrides cannot be read; those that were read last hold", unreachable);
                pause = TRY_AGAIN_MILLIS;
            } catch (RuntimeException foreign) {
                warnOnce("", "What is kept as overrides cannot be read: " + foreign.getMessage());
                read.countDown();
            }
            try {
                if (heard.tryAcquire(pause, TimeUnit.MILLISECONDS)) {
                    heard.drainPermits();
                }
            } catch (InterruptedException stop) {
                return;
            }
        }
    }

    /** Reads all notes and puts those in force that are not: changed, or left out while a limit could not work with them. */
    void look() {
        changing.lock();
        try {
            Map<String, String> now = notes.read();
            if (!now.equals(seen)) {
                stated = overrides(now);
                seen = now;
            }
            Overrides before = definitions.overrides();
            if (!stated.equals(before)) {
                definitions.overrideWhereFitting(stated);
                tellOf(before, definitions.overrides());
            }
        } finally {
            changing.unlock();
        }
    }

    private Overrides overrides(Map<String, String> texts) {
        Map<Target, Numbers> numbers = new HashMap<>();
        texts.forEach((name, text) -> {
            Numbers note = OverrideText.numbers(name, text);
            if (note == null) {
                warnOnce(name, "A note among the overrides is none and is ignored");
            } else {
                numbers.put(OverrideText.target(name), note);
            }
        });
        return new Overrides(numbers);
    }

    private static void tellOf(Overrides before, Overrides after) {
        if (!after.equals(before)) {
            Map<String, String> texts = new TreeMap<>();
            after.byTarget()
                    .forEach((target, numbers) -> texts.put(OverrideText.name(target), OverrideText.text(numbers)));
            log.info("Overrides in force: {}", texts.isEmpty() ? "none" : texts);
        }
    }

    private void warnOnce(String about, String message) {
        if (warned.size() < MOST_WARNINGS && warned.add(about)) {
            log.warn("{}", message);
        }
    }
}
