/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimitStoreAwayEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.context.event.EventListener;

/** Who counts as somebody that listens. */
class AudienceTests {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final AtomicBoolean compares = new AtomicBoolean();
    private final Audience audience = new Audience(context, RateLimitDeniedEvent.class, compares::get);

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

    @Test
    void isALambdaForThePayload() {
        context.addApplicationListener(
                ApplicationListener.forPayload((Consumer<RateLimitDeniedEvent>) AudienceTests::hear));
        context.refresh();

        assertThat(audience.isThere()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {BeanDefinition.SCOPE_SINGLETON, BeanDefinition.SCOPE_PROTOTYPE})
    void isABeanThatIsMadeOnlyForTheEvent(String scope) {
        context.registerBean(LateListener.class, definition -> {
            definition.setLazyInit(true);
            definition.setScope(scope);
        });
        context.refresh();

        assertThat(audience.isThere()).isTrue();
    }

    @Test
    void isAListenerThatTakesThePlaceOfAnother() {
        ApplicationListener<ContextStartedEvent> first = new StartListener();
        context.addApplicationListener(first);
        context.refresh();
        assertThat(audience.isThere()).isFalse();

        context.removeApplicationListener(first);
        context.addApplicationListener(new LateListener());
        assertThat(audience.isThere()).as("noticed by who compares").isFalse();
        compares.set(true);
        assertThat(audience.isThere()).isTrue();
    }

    @Test
    void isComparedNowAndThen() {
        Audience asInAnApplication = new Audience(context, RateLimitDeniedEvent.class);
        ApplicationListener<ContextStartedEvent> first = new StartListener();
        context.addApplicationListener(first);
        context.refresh();
        assertThat(asInAnApplication.isThere()).isFalse();

        context.removeApplicationListener(first);
        context.addApplicationListener(new LateListener());
        assertThat(IntStream.range(0, 10_000)
                        .filter(denial -> !asInAnApplication.isThere())
                        .count())
                .as("missed, each more with fifteen chances of sixteen")
                .isLessThan(1_000);
    }

    private static void hear(RateLimitDeniedEvent event) {}

    static class StartListener implements ApplicationListener<ContextStartedEvent> {
        @Override
        public void onApplicationEvent(ContextStartedEvent event) {}
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
