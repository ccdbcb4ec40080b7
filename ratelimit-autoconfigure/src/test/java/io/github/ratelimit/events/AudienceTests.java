/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimitStoreAwayEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

/** Who counts as somebody that listens. */
class AudienceTests {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Audience audience = new Audience(context, RateLimitDeniedEvent.class);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void isNobodyInAnEmptyApplication() {
        context.addApplicationListener(new LoggingApplicationListener());
        context.refresh();

        assertThat(audience.isThere()).isFalse();
    }

    @Test
    void isNobodyWhereOthersListenToSomethingElse() {
        context.register(OutageListener.class);
        context.refresh();

        assertThat(audience.isThere()).isFalse();
    }

    @Test
    void isAMethod() {
        context.register(DenialListener.class);
        context.refresh();

        assertThat(audience.isThere()).isTrue();
    }

    @Test
    void isAListenerThatComesLater() {
        context.refresh();
        assertThat(audience.isThere()).isFalse();

        ApplicationListener<PayloadApplicationEvent<RateLimitDeniedEvent>> late = new LateListener();
        context.addApplicationListener(late);
        assertThat(audience.isThere()).isTrue();

        context.removeApplicationListener(late);
        assertThat(audience.isThere()).isFalse();
    }

    @Test
    void isSomebodyInAParentContext() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(DenialListener.class)) {
            context.setParent(parent);
            context.refresh();

            assertThat(audience.isThere()).isTrue();
        }
    }

    static class DenialListener {
        @EventListener
        void on(RateLimitDeniedEvent event) {}
    }

    static class OutageListener {
        @EventListener
        void on(RateLimitStoreAwayEvent event) {}
    }

    static class LateListener implements ApplicationListener<PayloadApplicationEvent<RateLimitDeniedEvent>> {
        @Override
        public void onApplicationEvent(PayloadApplicationEvent<RateLimitDeniedEvent> event) {}
    }
}
