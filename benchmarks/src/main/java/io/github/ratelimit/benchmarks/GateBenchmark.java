/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.ratelimit.benchmarks.GatedOrders.Bare;
import io.github.ratelimit.benchmarks.GatedOrders.Limited;
import io.github.ratelimit.benchmarks.GatedOrders.Resilience4j;
import io.github.ratelimit.benchmarks.GatedOrders.UsualAspect;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What a limit costs a call of a bean, in a started application: the same method behind our gate, behind resilience4j's
 * and behind the usual aspect. Read the difference to {@link #bare}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch") // compiled before it is measured, however busy the machine is
@Warmup(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class GateBenchmark {

    /** A started application, and what its beans are called with. */
    @State(Scope.Thread)
    public abstract static class Application {

        final ConfigurableApplicationContext context;
        final Order order = new Order(new Order.Customer("c-4711"));
        final String tenant = order.customer().id();

        Application(String store) {
            context = GatedApplication.start(store);
        }

        /** Stops the application. */
        @TearDown
        public void stop() {
            context.close();
        }
    }

    /** The store answers at once: what is left is the gate. */
    public static class Instantly extends Application {

        final GatedOrders bare = context.getBean(Bare.class);
        final GatedOrders limited = context.getBean(Limited.class);
        final GatedOrders usualAspect = context.getBean(UsualAspect.class);
        final GatedOrders resilience4j = context.getBean(Resilience4j.class);

        /** Starts it. */
        public Instantly() {
            super("instant");
        }
    }

    /** The store counts in this JVM. */
    public static class Locally extends Application {

        final GatedOrders limited = context.getBean(Limited.class);
        final GatedOrders usualAspect = context.getBean(UsualAspect.class);

        /** Starts it. */
        public Locally() {
            super("local");
        }
    }

    @Benchmark
    public int bare(Instantly on) {
        return on.bare.byParameter(on.tenant, on.order);
    }

    @Benchmark
    public int withoutKey(Instantly on) {
        return on.limited.forEveryone(on.tenant, on.order);
    }

    @Benchmark
    public int parameter(Instantly on) {
        return on.limited.byParameter(on.tenant, on.order);
    }

    @Benchmark
    public int path(Instantly on) {
        return on.limited.byPath(on.tenant, on.order);
    }

    @Benchmark
    public int spel(Instantly on) {
        return on.limited.byExpression(on.tenant, on.order);
    }

    @Benchmark
    public int localParameter(Locally on) {
        return on.limited.byParameter(on.tenant, on.order);
    }

    @Benchmark
    public int usualAspectParameter(Instantly on) {
        return on.usualAspect.byParameter(on.tenant, on.order);
    }

    @Benchmark
    public int usualAspectPath(Instantly on) {
        return on.usualAspect.byPath(on.tenant, on.order);
    }

    @Benchmark
    public int usualAspectSpel(Instantly on) {
        return on.usualAspect.byExpression(on.tenant, on.order);
    }

    @Benchmark
    public int usualAspectLocalParameter(Locally on) {
        return on.usualAspect.byParameter(on.tenant, on.order);
    }

    @Benchmark
    public int resilience4j(Instantly on) {
        return on.resilience4j.forEveryone(on.tenant, on.order);
    }
}
