/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.tuning.Overrides.Target;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
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
    private final LimitCatalog catalog;
    private final SharedNotes notes;
    private final Semaphore heard = new Semaphore(0);
    private final CountDownLatch read = new CountDownLatch(1);
    private final Set<String> warned = new HashSet<>();
    private Map<String, String> seen = Map.of();
    private volatile @Nullable Thread reader;
    private volatile boolean closed;

    /** Overrides of this catalog's limits. */
    public SharedOverrides(LimitCatalog catalog, SharedNotes notes) {
        this.catalog = catalog;
        this.notes = notes;
    }

    /** Begins to read, beside the caller's thread, and waits for the first time at most so long. */
    public void start(Duration atMost) {
        closed = false;
        notes.onChange(heard::release);
        Thread thread = new Thread(this::readOnAndOn, "ratelimit-overrides");
        thread.setDaemon(true);
        thread.start();
        reader = thread;
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
        catalog.checkKnown(target);
        changing.lock();
        try {
            Overrides next = catalog.overrides().with(target, numbers);
            catalog.tryOut(next);
            notes.write(OverrideText.name(target), OverrideText.text(numbers));
            catalog.override(next);
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
            if (names.isEmpty()) {
                catalog.checkKnown(target);
            } else {
                notes.remove(names);
            }
            catalog.override(catalog.overrides().without(limit, plan));
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
        closed = true;
        Thread thread = reader;
        if (thread != null) {
            thread.interrupt();
        }
        notes.close();
    }

    private void readOnAndOn() {
        while (!closed) {
            long pause = LOOK_EVERY_MILLIS;
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

    /** Reads all notes and puts them in force, if any has changed. */
    void look() {
        changing.lock();
        try {
            Map<String, String> now = notes.read();
            if (!now.equals(seen)) {
                seen = putInForce(now) ? now : Map.of();
            }
        } finally {
            changing.unlock();
        }
    }

    /** Whether all of them are; else changed properties may let the others hold, so they are to be looked at again. */
    private boolean putInForce(Map<String, String> texts) {
        Map<Target, Numbers> numbers = new HashMap<>();
        texts.forEach((name, text) -> {
            Numbers stated = OverrideText.numbers(name, text);
            if (stated == null) {
                warnOnce(name, "A note among the overrides is none and is ignored");
            } else {
                numbers.put(OverrideText.target(name), stated);
            }
        });
        Overrides before = catalog.overrides();
        Overrides all = new Overrides(numbers);
        Overrides after = applicable(all);
        catalog.override(after);
        if (!after.equals(before)) {
            log.info("Overrides in force: {}", after.byTarget().isEmpty() ? "none" : texts);
        }
        return after.equals(all);
    }

    /** What is left without the overrides of limits that cannot work with them. */
    private Overrides applicable(Overrides overrides) {
        Overrides left = overrides;
        while (true) {
            try {
                catalog.tryOut(left);
                return left;
            } catch (InvalidLimitException mistake) {
                warnOnce(mistake.limit() + mistake.value(), "An override is ignored: " + mistake.getMessage());
                Overrides fewer = left.without(mistake.limit(), null);
                if (fewer.equals(left)) {
                    return Overrides.NONE;
                }
                left = fewer;
            }
        }
    }

    private void warnOnce(String about, String message) {
        if (warned.size() < MOST_WARNINGS && warned.add(about)) {
            log.warn("{}", message);
        }
    }
}
