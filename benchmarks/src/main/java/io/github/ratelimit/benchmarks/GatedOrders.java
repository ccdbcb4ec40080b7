/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.ratelimit.annotation.RateLimited;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;

/** One and the same method behind each kind of gate. */
public class GatedOrders {

    static final String EVERYTHING_ALLOWED = "everything-allowed";

    /** Behind a proxy that does nothing. */
    public static class Bare extends GatedOrders {}

    /** Behind our gate. */
    public static class Limited extends GatedOrders {

        @Override
        @RateLimited(name = EVERYTHING_ALLOWED)
        public int forEveryone(String tenantId, Order order) {
            return super.forEveryone(tenantId, order);
        }

        @Override
        @RateLimited(name = EVERYTHING_ALLOWED, key = "#tenantId")
        public int byParameter(String tenantId, Order order) {
            return super.byParameter(tenantId, order);
        }

        @Override
        @RateLimited(name = EVERYTHING_ALLOWED, key = "#order.customer.id")
        public int byPath(String tenantId, Order order) {
            return super.byPath(tenantId, order);
        }

        @Override
        @RateLimited(name = EVERYTHING_ALLOWED, key = "#tenantId + ':' + #order.customer.id")
        public int byExpression(String tenantId, Order order) {
            return super.byExpression(tenantId, order);
        }
    }

    /** Behind the aspect that applications write themselves. */
    public static class UsualAspect extends GatedOrders {

        @Override
        @UsualRateLimit(key = "#tenantId")
        public int byParameter(String tenantId, Order order) {
            return super.byParameter(tenantId, order);
        }

        @Override
        @UsualRateLimit(key = "#order.customer.id")
        public int byPath(String tenantId, Order order) {
            return super.byPath(tenantId, order);
        }

        @Override
        @UsualRateLimit(key = "#tenantId + ':' + #order.customer.id")
        public int byExpression(String tenantId, Order order) {
            return super.byExpression(tenantId, order);
        }
    }

    /** Behind resilience4j, which has no keys. */
    public static class Resilience4j extends GatedOrders {

        @Override
        @RateLimiter(name = EVERYTHING_ALLOWED)
        public int forEveryone(String tenantId, Order order) {
            return super.forEveryone(tenantId, order);
        }
    }

    /** The method, where nobody is told apart. */
    public int forEveryone(String tenantId, Order order) {
        return tenantId.length();
    }

    /** The method, where the tenant is counted. */
    public int byParameter(String tenantId, Order order) {
        return tenantId.length();
    }

    /** The method, where the customer is counted. */
    public int byPath(String tenantId, Order order) {
        return tenantId.length();
    }

    /** The method, where the customer of a tenant is counted. */
    public int byExpression(String tenantId, Order order) {
        return tenantId.length();
    }
}
