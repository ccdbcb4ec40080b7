/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitStore;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The aspect of many an article: parsed expressions are kept, a context is made for every call. Asks the same store. */
@Aspect
public class UsualRateLimitAspect {

    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final Map<String, Expression> expressions = new ConcurrentHashMap<>();
    private final RateLimitStore store;
    private final Limit limit;

    /** An aspect before this store. */
    public UsualRateLimitAspect(RateLimitStore store, Limit limit) {
        this.store = store;
        this.limit = limit;
    }

    /** Lets the call through, or not. */
    @Around("@annotation(annotation)")
    public @Nullable Object around(ProceedingJoinPoint call, UsualRateLimit annotation) throws Throwable {
        Method method = ((MethodSignature) call.getSignature()).getMethod();
        Expression expression = expressions.computeIfAbsent(annotation.key(), parser::parseExpression);
        Object key =
                expression.getValue(new MethodBasedEvaluationContext(call.getTarget(), method, call.getArgs(), names));
        Charge charge = Charge.of(limit, String.valueOf(key), 1);
        if (!store.acquire(List.of(charge)).toCompletableFuture().join().passes()) {
            throw new IllegalStateException("too many requests");
        }
        return call.proceed();
    }
}
