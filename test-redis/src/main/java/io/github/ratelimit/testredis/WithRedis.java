/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Gives a test class the shared Redis: parameters of type {@link RedisServer} or {@link RedisCluster} are resolved.
 *
 * <p>Server and cluster are started once per JVM, when first asked for, and emptied before each test class (not before
 * each test). Also usable on an annotation of one's own.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(RedisExtension.class)
@ResourceLock("io.github.ratelimit.testredis.SharedRedis")
public @interface WithRedis {}
