/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Whether anybody in a context, or in its parents, listens to an event. Looked up anew when there are more or fewer listeners;
 * one question of a few also looks whether others have taken their places, and until then one of these may miss an event.
 * Otherwise, in doubt somebody does: an event too many is heard by nobody.
 */
public final class Audience {

    /** Of so many questions one compares the listeners, at random: that costs as much as a denial, and so would asking a clock. */
    private static final int FEW = 16;

    private final ApplicationContext context;
    private final ResolvableType event;
    private final BooleanSupplier compares;
    private volatile Seen seen = new Seen(List.of(), false);

    /**
     * What was found.
     *
     * @param there whether one of the listeners is for the event
     */
    private record Seen(List<ApplicationListener<?>> listeners, boolean there) {}

    /** The audience of an event that is no {@code ApplicationEvent} itself. */
    public Audience(ApplicationContext context, Class<?> event) {
        this(context, event, () -> ThreadLocalRandom.current().nextInt(FEW) == 0);
    }

    Audience(ApplicationContext context, Class<?> event, BooleanSupplier compares) {
        this.context = context;
        this.event = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event);
        this.compares = compares;
    }

    boolean isThere() {
        Seen last = seen;
        int known = last.listeners.size();
        if (known > 0 && known == count() && !compares.getAsBoolean()) {
            return last.there;
        }
        try {
            if (known == 0 || !isUpToDate(last.listeners)) {
                last = look();
                seen = last;
            }
            return last.there;
        } catch (ConcurrentModificationException comingOrGoing) {
            return true;
        }
    }

    private int count() {
        int count = 0;
        for (ApplicationContext at = context; at != null; at = at.getParent()) {
            count += listenersOf(at).size();
        }
        return count;
    }

    /** Whether these are the listeners there are now. */
    @SuppressWarnings("ReferenceEquality") // a listener may be equal to another
    private boolean isUpToDate(List<ApplicationListener<?>> known) {
        int i = 0;
        for (ApplicationContext at = context; at != null; at = at.getParent()) {
            for (Iterator<ApplicationListener<?>> now = listenersOf(at).iterator(); now.hasNext(); i++) {
                if (i == known.size() || now.next() != known.get(i)) {
                    return false;
                }
            }
        }
        return i == known.size();
    }

    private Seen look() {
        List<ApplicationListener<?>> listeners = new ArrayList<>();
        boolean there = false;
        for (ApplicationContext at = context; at != null; at = at.getParent()) {
            listeners.addAll(listenersOf(at));
            there |= isListenerToCome(at);
        }
        return new Seen(List.copyOf(listeners), there || listeners.stream().anyMatch(this::hears));
    }

    /** Spring's own listeners to everything do not count: every application has some. */
    private boolean hears(ApplicationListener<?> listener) {
        if (listener instanceof GenericApplicationListener generic) {
            return generic.supportsEventType(event);
        }
        return !isSprings(listener.getClass())
                && new GenericApplicationListenerAdapter(listener).supportsEventType(event);
    }

    /** Whether there is one among the beans that Spring makes only when it has an event for them: lazy, or anew each time. */
    private static boolean isListenerToCome(ApplicationContext context) {
        if (!(context.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beans)) {
            return false;
        }
        for (String name : beans.getBeanNamesForType(ApplicationListener.class, true, false)) {
            Class<?> type = beans.containsSingleton(name) ? null : beans.getType(name, false);
            if (type != null && !isSprings(type)) {
                return true;
            }
        }
        return false;
    }

    /** Not so an interface, nor what it makes of a lambda: they stand for code of the application. */
    private static boolean isSprings(Class<?> listener) {
        return listener.getName().startsWith("org.springframework.")
                && !listener.isInterface()
                && !listener.isSynthetic();
    }

    private static Collection<ApplicationListener<?>> listenersOf(ApplicationContext context) {
        return context instanceof AbstractApplicationContext known ? known.getApplicationListeners() : List.of();
    }
}
