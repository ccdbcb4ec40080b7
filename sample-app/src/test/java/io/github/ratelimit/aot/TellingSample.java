/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.aot;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.sample.SampleApplication;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The sample, with a page that tells how it is limited. Not in the sample's package, so that the sample does not find it. */
@Configuration(proxyBeanMethods = false)
@Import({SampleApplication.class, TellingSample.Page.class})
public class TellingSample {

    public static void main(String[] arguments) {
        SpringApplication.run(TellingSample.class, arguments);
    }

    /** What the context looks like from inside. */
    @RestController
    public static class Page {

        private final ApplicationContext context;
        private final RateLimiter limiter;
        private final RateLimitStore store;

        Page(ApplicationContext context, RateLimiter limiter, RateLimitStore store) {
            this.context = context;
            this.limiter = limiter;
            this.store = store;
        }

        @GetMapping("/told")
        String told() {
            return "proxy: %s, decision: %s, store: %s"
                    .formatted(
                            AopUtils.isAopProxy(context.getBean("orderController")),
                            limiter.tryAcquire("order-controller-create", "told")
                                    .getClass()
                                    .getSimpleName(),
                            store.getClass().getSimpleName());
        }
    }
}
