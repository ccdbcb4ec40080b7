/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import java.io.IOException;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/** How a servlet ends an answer that has begun and cannot be finished: the container hangs up. */
final class BrokenAnswer {

    /** Tomcat neither logs it as an error nor adds the error page to the answer. */
    static final String QUIET_ON_TOMCAT = "org.apache.catalina.connector.ClientAbortException";

    private BrokenAnswer() {}

    /** What to throw. */
    static IOException exception() {
        ClassLoader loader = BrokenAnswer.class.getClassLoader();
        return ClassUtils.isPresent(QUIET_ON_TOMCAT, loader)
                ? (IOException) BeanUtils.instantiateClass(ClassUtils.resolveClassName(QUIET_ON_TOMCAT, loader))
                : new IOException("A call was refused after the answer had begun");
    }
}
