/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Stops the start when a property under {@code ratelimit} would be ignored: before any bean exists, so that nothing of the
 * application has run.
 */
final class StrictProperties implements BeanFactoryPostProcessor {

    private final Environment environment;

    StrictProperties(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        bind(environment);
    }

    /** A fresh snapshot of the properties, none of them unknown. */
    static RateLimitProperties bind(Environment environment) {
        PropertySpelling.check(environment);
        RateLimitProperties properties = Binder.get(environment)
                .bindOrCreate(
                        RateLimitProperties.PREFIX, Bindable.of(RateLimitProperties.class), new StrictBindHandler());
        properties.http().checkRules();
        return properties;
    }
}
