/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Limits;
import io.github.ratelimit.RateLimitStore;
import java.time.Duration;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with one bean behind each kind of gate, and limits that nobody reaches. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = "org.springframework.cloud.gateway.config.GatewayNoLoadBalancerClientAutoConfiguration")
public class GatedApplication {

    private static final long MOST = 1_000_000;

    /**
     * Starts it.
     *
     * @param store {@code instant} or {@code local}
     */
    static ConfigurableApplicationContext start(String store) {
        return new SpringApplicationBuilder(GatedApplication.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "logging.level.root=warn",
                        "benchmark.store=" + store,
                        "ratelimit.store=local",
                        "ratelimit.limits." + GatedOrders.EVERYTHING_ALLOWED + ".permits=" + MOST,
                        "ratelimit.limits." + GatedOrders.EVERYTHING_ALLOWED + ".period=1ms",
                        resilience4j("limit-for-period=" + MOST),
                        resilience4j("limit-refresh-period=1ms"),
                        resilience4j("timeout-duration=0"))
                .run();
    }

    private static String resilience4j(String setting) {
        return "resilience4j.ratelimiter.instances." + GatedOrders.EVERYTHING_ALLOWED + "." + setting;
    }

    @Bean
    GatedOrders.Bare bare() {
        return new GatedOrders.Bare();
    }

    @Bean
    GatedOrders.Limited limited() {
        return new GatedOrders.Limited();
    }

    @Bean
    GatedOrders.UsualAspect usualAspect() {
        return new GatedOrders.UsualAspect();
    }

    @Bean
    GatedOrders.Resilience4j resilience4j() {
        return new GatedOrders.Resilience4j();
    }

    /** Advice that does nothing: what remains is the proxy. */
    @Bean
    static DefaultPointcutAdvisor bareAdvisor() {
        ComposablePointcut bare = new ComposablePointcut(new RootClassFilter(GatedOrders.Bare.class));
        MethodInterceptor nothing = call -> call.proceed();
        return new DefaultPointcutAdvisor(bare, nothing);
    }

    @Bean
    UsualRateLimitAspect usualRateLimitAspect(RateLimitStore store, Limits limits) {
        return new UsualRateLimitAspect(store, limits.numbersFor(GatedOrders.EVERYTHING_ALLOWED, null, ""));
    }

    @Bean
    @ConditionalOnProperty(name = "benchmark.store", havingValue = "instant")
    RateLimitStore instantStore() {
        return new InstantStore(
                Limit.named("any").permits(1).period(Duration.ofSeconds(1)).build());
    }
}
