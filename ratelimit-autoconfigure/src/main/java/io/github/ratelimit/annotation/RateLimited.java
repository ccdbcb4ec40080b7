/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.annotation;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.FailurePolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Limits how often a method of a Spring bean is called.
 *
 * <pre>{@code
 * @RateLimited(algorithm = TOKEN_BUCKET, key = "#tenantId")
 * public Order create(String tenantId, Order order) { ... }
 * }</pre>
 *
 * <p>with the numbers in {@code application.yml}:
 *
 * <pre>{@code
 * ratelimit:
 *   defaults: { permits: 100, period: 1m }
 *   limits:
 *     order-service-create: { permits: 600, burst: 50 }
 * }</pre>
 *
 * <p>A call that is denied throws {@link io.github.ratelimit.RateLimitExceededException} (over HTTP: 429) and its body
 * does not run.
 *
 * <p><b>Where it may stand.</b> On a method; on a class, for all its public methods; on an interface or one of its
 * methods; on another annotation, whose attributes may be passed on with {@link AliasFor}. The most specific place wins
 * as a whole: method, class, interface method, interface. Like {@code @Transactional} it is inherited by subclasses and
 * works for calls that go through the Spring bean: not for private, final or static methods, nor in final classes (the
 * start is refused), not for a call of {@code this}. {@link RateLimitExempt} frees a method of a limited class.
 * Of a limited controller, methods with {@code @InitBinder}, {@code @ModelAttribute} and {@code @ExceptionHandler} are
 * limited only by what they state themselves.
 *
 * <p><b>What it returns.</b> A plain value or {@code void}: decided, and waited for, on the caller's thread. A
 * {@code CompletionStage}: decided at the call; denied, it fails; after a wait the method runs on the application's task
 * executor. {@code Mono}, {@code Flux}, RxJava's types, a Kotlin {@code Flow} and whatever else Spring adapts to a
 * publisher: decided for each subscription, and the method is called only then. Kotlin's suspending functions: decided
 * when they are called, without blocking. (A {@code Flow} is adapted where {@code kotlinx-coroutines-reactor} is there,
 * and a plain value else.) Any other type, among them those that extend one of these, is a plain value.
 *
 * <p><b>Several limits.</b> The annotation may be repeated. All limits of one call are decided together: either every
 * one grants and all are charged, or none is.
 *
 * <p><b>Who wins.</b> What makes the limit ({@code algorithm}, {@code permits}, {@code period}, {@code burst},
 * {@code penalty}, {@code onStoreFailure}) is overridden by {@code ratelimit.limits.<name>}; what concerns the call
 * ({@code key}, {@code cost}, {@code condition}, {@code plan}, {@code maxWait}, {@code fallback}) is said here.
 *
 * <p><b>Expressions.</b> {@code key}, {@code cost}, {@code condition} and {@code plan} are
 * <a href="https://docs.spring.io/spring-framework/reference/core/expressions.html">SpEL</a>. They see the method's
 * parameters as {@code #name} (always also as {@code #p0}, {@code #p1}, …), the caller of a web request as
 * {@code #caller} ({@code address}, {@code principal}, {@code header('X-Api-Key')}, {@code path}, {@code method}), and
 * beans as {@code @name}. They are parsed and checked when the application starts. {@code ${…}} works in every String.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(RateLimits.class)
public @interface RateLimited {

    /** Same as {@link #name()}: {@code @RateLimited("orders")}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The limit's name, as in {@code ratelimit.limits.<name>}. Every place with this name shares one count.
     *
     * <p>Empty: a limit of this method's own, called after its class and name in kebab case:
     * {@code order-controller-create}. A stated name must be defined: by {@code ratelimit.limits.<name>}, or by
     * {@link #permits()} and {@link #period()} here.
     */
    @AliasFor("value")
    String name() default "";

    /** How permits are counted; none or one, so that {@code algorithm = TOKEN_BUCKET} reads well. None: from the properties. */
    Algorithm[] algorithm() default {};

    /** How many permits there are per {@link #period()}. {@code -1}: from the properties. */
    long permits() default -1;

    /** The period, like {@code 1m}, {@code 500ms} or {@code PT1M}. Empty: from the properties. */
    String period() default "";

    /** What a bucket holds at most, for algorithms that have one. {@code -1}: from the properties, else the permits. */
    long burst() default -1;

    /**
     * Who is counted. Empty: one counter for everyone.
     *
     * <p>Examples: {@code #tenantId}, {@code #order.customer.id}, {@code #caller.address}, {@code #caller.principal},
     * {@code #caller.header('X-Api-Key')}, {@code @tenants.of(#id)}, and {@code {#tenantId, #userId}} for a key of two
     * parts.
     *
     * <p>The value may have any type that has a value: text, numbers, {@code UUID}, enum, array, record, collection, or a
     * type with a {@code toString()} of its own. What reads the same is counted as the same: {@code 42L} and
     * {@code "42"} are one key. Keys of several parts are told apart from each other and from text, whatever is in the
     * parts; a record counts as its type and its components.
     *
     * <p>A key that is null or blank, as a whole or in a part, is an error of the call
     * ({@link io.github.ratelimit.InvalidRateLimitKeyException}, over HTTP 400), never "no limit".
     */
    String key() default "";

    /** The permits a call takes: a number, or an expression for one, like {@code #batch.size()}. 0 always passes. */
    String cost() default "1";

    /** Counted only when this is true, like {@code !#order.internal}. Empty: always. */
    String condition() default "";

    /**
     * The name of the plan that says the numbers for this call, like {@code @tenants.planOf(#tenantId)}. Plans are in
     * {@code ratelimit.limits.<name>.plans}. Empty or null: as {@code ratelimit.limits.<name>.keys} and the application's
     * {@link io.github.ratelimit.PlanResolver} say, else the limit's base numbers.
     */
    String plan() default "";

    /**
     * How long a call may wait for its permits instead of being denied at once, like {@code 2s}; at most one hour. A
     * call that would have to wait longer is denied without waiting. Empty: from the properties, else no waiting. A call
     * waits once for all of its limits: where several annotations of a method say how long, the shortest holds for all.
     */
    String maxWait() default "";

    /** How long a key stays denied after a denial, like {@code 30s}. Empty: from the properties, else no penalty. */
    String penalty() default "";

    /**
     * What is called instead of throwing when the call is denied: {@code method} of the same class, or
     * {@code bean::method}. It has the same parameters, optionally with a trailing
     * {@link io.github.ratelimit.RateLimitExceededException}, and a result that fits. One that is limited itself has to be
     * named with its bean, or it would be called past its limits. Empty: the exception is thrown.
     */
    String fallback() default "";

    /** What happens when the store cannot answer; none or one. None: from the properties. */
    FailurePolicy[] onStoreFailure() default {};
}
