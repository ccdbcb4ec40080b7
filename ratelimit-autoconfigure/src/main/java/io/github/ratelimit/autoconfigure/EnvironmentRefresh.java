/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Tuning;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Puts changed limits in force when Spring Cloud says that properties have changed. The properties are read anew as a
 * whole, so that one that was removed is gone; overrides stay. Known by its name only: Spring Cloud is no dependency.
 */
final class EnvironmentRefresh implements SmartApplicationListener {

    private static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";
    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentRefresh.class);

    /** Held from reading to putting in force: of two refreshes at once the later reading has to win. */
    private final ReentrantLock refreshing = new ReentrantLock();

    private final Environment environment;
    private final RateLimitProperties started;
    private final Supplier<LimitCatalog> catalog;
    private final Runnable afterwards;

    EnvironmentRefresh(
            Environment environment, RateLimitProperties started, Supplier<LimitCatalog> catalog, Runnable afterwards) {
        this.environment = environment;
        this.started = started;
        this.catalog = catalog;
        this.afterwards = afterwards;
    }

    @Override
    public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
        return type.getName().equals(EVENT);
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        refreshing.lock();
        try {
            Tuning fresh = StrictProperties.bind(environment).tuning();
            catalog.get()
                    .refresh(new Tuning(
                            fresh.defaults(), fresh.limits(), fresh.shadow(), started.store(), fresh.onStoreFailure()));
            afterwards.run();
        } catch (RuntimeException mistake) {
            LOG.error(
                    "The changed properties ratelimit.* are not put in force, the old ones hold: {}", reason(mistake));
        } finally {
            refreshing.unlock();
        }
    }

    /** What the mistake is: the cause where Boot's binder has wrapped it, and the property where the cause does not name it. */
    private static String reason(Throwable mistake) {
        ConfigurationProperty property = null;
        Throwable cause = mistake;
        while (cause.getCause() != null) {
            property = cause instanceof BindException bind ? bind.getProperty() : property;
            cause = cause.getCause();
        }
        String reason = String.valueOf(cause.getMessage());
        return property == null || reason.contains(property.getName().toString())
                ? reason
                : "%s = %s: %s".formatted(property.getName(), property.getValue(), reason);
    }
}
