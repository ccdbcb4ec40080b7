/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import com.sun.management.OperatingSystemMXBean;
import io.github.ratelimit.tuning.CpuLoad;
import java.lang.management.ManagementFactory;
import org.springframework.util.ClassUtils;

/** The load of the machine, or of the container where the JVM knows that it runs in one. */
final class SystemCpu {

    private static final double UNKNOWN = -1;

    private SystemCpu() {}

    /** The load as the JVM tells it, if it is one that does. */
    static CpuLoad load() {
        return ClassUtils.isPresent("com.sun.management.OperatingSystemMXBean", SystemCpu.class.getClassLoader())
                ? Known.load()
                : () -> UNKNOWN;
    }

    /** Apart, so that it is loaded only where the class is: it belongs to a module that a JVM may lack. */
    private static final class Known {

        static CpuLoad load() {
            return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                    ? system::getCpuLoad
                    : () -> UNKNOWN;
        }
    }
}
