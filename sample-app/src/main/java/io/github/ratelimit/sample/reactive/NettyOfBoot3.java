/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.reactive;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Chooses Netty where Boot 3.5 would run WebFlux on the Tomcat that is there as well; Boot 4 takes Netty by itself. */
class NettyOfBoot3 implements ImportSelector {

    private static final String FACTORY = "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory";

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        return ClassUtils.isPresent(FACTORY, NettyOfBoot3.class.getClassLoader())
                ? new String[] {FACTORY}
                : new String[0];
    }
}
