/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.cloud.context.environment;

import org.springframework.context.ApplicationEvent;

/** Stands in for Spring Cloud's event, which the library knows by its name. */
public final class EnvironmentChangeEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    public EnvironmentChangeEvent(Object source) {
        super(source);
    }
}
