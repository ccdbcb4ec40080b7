/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands the {@link SharedRedis} to tests, empties it before each test class and closes it when the tests are over. */
public final class RedisExtension implements BeforeAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(RedisExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        closeAfterAll(context);
        if (!context.getRequiredTestClass().isAnnotationPresent(Nested.class)) {
            SharedRedis.flush();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == RedisServer.class || type == RedisCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        closeAfterAll(context);
        return parameter.getParameter().getType() == RedisServer.class ? SharedRedis.server() : SharedRedis.cluster();
    }

    private static void closeAfterAll(ExtensionContext context) {
        context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Closing.class);
    }

    /** Closes the shared Redis with the root store: JUnit up to 5.12 knows the first interface, later ones the second. */
    static final class Closing implements ExtensionContext.Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            SharedRedis.close();
        }
    }
}
