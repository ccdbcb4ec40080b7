/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.expression.CallerSource;
import io.github.ratelimit.expression.CostExpression;
import io.github.ratelimit.expression.Invocation;
import io.github.ratelimit.expression.KeyExpression;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** What it costs to go from a call to its key: each kind of expression, beside the usual fresh context per call. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("unused")
public class KeyExpressionBenchmark {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method = find("create");
    private final Method batch = find("batch");
    private final Service service = new Service();
    private final @Nullable Object[] arguments = {"acme", new Order(new Customer("c-4711")), 42L};
    private final Invocation call = new Invocation(service, Service.class, method, arguments);
    private final List<Invocation> batches = new ArrayList<>();
    private final CallExpressions expressions =
            new CallExpressions(beans(), CallerSource.NONE, UnaryOperator.identity());

    private final KeyExpression parameter = expressions.key("#tenantId", method);
    private final KeyExpression number = expressions.key("#id", method);
    private final KeyExpression path = expressions.key("#order.customer.id", method);
    private final KeyExpression composite = expressions.key("{#tenantId, #order.customer.id}", method);
    private final KeyExpression concatenation = expressions.key("#tenantId + ':' + #order.customer.id", method);
    private final KeyExpression ternary = expressions.key("#order.customer.id == 'x' ? 'x' : #tenantId", method);
    private final KeyExpression methods = expressions.key("#tenantId.substring(0, 2)", method);
    private final KeyExpression bean = expressions.key("@tenants.of(#tenantId)", method);
    private final CostExpression ofManyTypes = expressions.cost("#batch.size() * 2", batch);
    private final Expression usualPath = new SpelExpressionParser().parseExpression("#order.customer.id");
    private final Expression usualParameter = new SpelExpressionParser().parseExpression("#tenantId");

    private int next;

    /** Called by nobody; expressions are about its parameters. */
    public static class Service {

        /** An order. */
        public void create(String tenantId, Order order, long id) {}

        /** Several at once. */
        public void batch(Collection<String> batch) {}
    }

    /** An order. */
    public static class Order {

        private final Customer customer;

        /** An order of a customer. */
        public Order(Customer customer) {
            this.customer = customer;
        }

        /** Who ordered. */
        public Customer getCustomer() {
            return customer;
        }
    }

    /** A customer. */
    public record Customer(String id) {}

    /** A bean. */
    public static class Tenants {

        /** The tenant of an id. */
        public String of(String id) {
            return id;
        }
    }

    private static StaticListableBeanFactory beans() {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("tenants", new Tenants());
        return beans;
    }

    private static Method find(String name) {
        for (Method method : Service.class.getMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        throw new IllegalStateException(name);
    }

    /** Batches of several types, so that compiled code fits none for long. */
    @Setup
    public void batches() {
        for (Collection<String> elements :
                List.of(new ArrayList<>(List.of("a")), new LinkedHashSet<String>(), new TreeSet<String>())) {
            batches.add(new Invocation(service, Service.class, batch, new @Nullable Object[] {elements}));
        }
    }

    @Benchmark
    public String parameter() {
        return parameter.keyOf(call);
    }

    @Benchmark
    public String number() {
        return number.keyOf(call);
    }

    @Benchmark
    public String path() {
        return path.keyOf(call);
    }

    @Benchmark
    public String composite() {
        return composite.keyOf(call);
    }

    @Benchmark
    public String spelConcatenation() {
        return concatenation.keyOf(call);
    }

    @Benchmark
    public String spelTernary() {
        return ternary.keyOf(call);
    }

    @Benchmark
    public String spelMethod() {
        return methods.keyOf(call);
    }

    @Benchmark
    public String spelBean() {
        return bean.keyOf(call);
    }

    @Benchmark
    public long spelOfManyTypes() {
        next = next == 2 ? 0 : next + 1;
        return ofManyTypes.costOf(batches.get(next));
    }

    @Benchmark
    public @Nullable Object usualParameter() {
        return usualParameter.getValue(new MethodBasedEvaluationContext(service, method, arguments, NAMES));
    }

    @Benchmark
    public @Nullable Object usualPath() {
        return usualPath.getValue(new MethodBasedEvaluationContext(service, method, arguments, NAMES));
    }
}
