/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Whether anybody in a context, or in its parents, listens to an event. Looked up anew only when listeners have come or
 * gone; between that, asking is comparing a few sizes.
 */
public final class Audience {

    private final ApplicationContext context;
    private final ResolvableType event;
    private final AtomicReference<@Nullable Seen> seen = new AtomicReference<>();

    private record Seen(int listeners, boolean there) {}

    /** The audience of an event that is no {@code ApplicationEvent} itself. */
    public Audience(ApplicationContext context, Class<?> event) {
        this.context = context;
        this.event = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event);
    }

    boolean isThere() {
        int listeners = 0;
        for (ApplicationContext at = context; at != null; at = at.getParent()) {
            listeners += listenersOf(at).size();
        }
        Seen before = seen.get();
        if (before == null || before.listeners != listeners) {
            before = new Seen(listeners, look());
            seen.set(before);
        }
        return before.there;
    }

    private boolean look() {
        for (ApplicationContext at = context; at != null; at = at.getParent()) {
            for (ApplicationListener<?> listener : listenersOf(at)) {
                if (hears(listener)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Spring's own listeners to everything do not count: every application has some. */
    private boolean hears(ApplicationListener<?> listener) {
        if (listener instanceof GenericApplicationListener generic) {
            return generic.supportsEventType(event);
        }
        return !listener.getClass().getName().startsWith("org.springframework.")
                && new GenericApplicationListenerAdapter(listener).supportsEventType(event);
    }

    private static Collection<ApplicationListener<?>> listenersOf(ApplicationContext context) {
        return context instanceof AbstractApplicationContext known ? known.getApplicationListeners() : List.of();
    }
}
