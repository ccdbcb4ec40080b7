/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertDenied;
import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static io.github.ratelimit.intercept.Gated.assertUnlimited;

import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

/** What the places mean in a running application: which calls share a count, and which are decided together. */
class LimitedPlacesTests {

    @Test
    void countsEachMethodOfANamelessClassApart() {
        Gated.with(Nameless.class).run(context -> {
            Nameless bean = context.getBean(Nameless.class);
            assertTwoCalls("nameless-one", bean::one);
            assertTwoCalls("nameless-two", bean::two);
            assertUnlimited(bean::free);
        });
    }

    @Test
    void countsAllMethodsOfANamedClassTogether() {
        Gated.with(Named.class)
                .withPropertyValues("ratelimit.limits.shop.permits=2")
                .run(context -> {
                    Named bean = context.getBean(Named.class);
                    bean.one();
                    bean.two();
                    assertDenied("shop", bean::one);
                    assertDenied("shop", bean::two);
                });
    }

    @Test
    void countsBeansOfOneInterfaceTogether() {
        Gated.with(FirstApi.class, SecondApi.class).run(context -> {
            Api first = context.getBean(FirstApi.class);
            Api second = context.getBean(SecondApi.class);
            first.find("acme");
            second.find("acme");
            assertDenied("api-find", () -> first.find("acme"));
            assertDenied("api-find", () -> second.find("acme"));
            assertTwoCalls("api-find", () -> second.find("umbrella"));
        });
    }

    @Test
    void chargesAllRepeatedLimitsOrNone() {
        Gated.with(Repeated.class)
                .withPropertyValues(
                        "ratelimit.limits.tenant.permits=2",
                        "ratelimit.limits.tenant.period=1h",
                        "ratelimit.limits.all.permits=3",
                        "ratelimit.limits.all.period=1h")
                .run(context -> {
                    Repeated bean = context.getBean(Repeated.class);
                    assertTwoCalls("tenant", () -> bean.both("acme"));
                    assertDenied("tenant", () -> bean.both("acme"));
                    bean.both("umbrella");
                    assertDenied("all", () -> bean.both("umbrella"));
                });
    }

    @Test
    void takesWhatAComposedAnnotationPassesOn() {
        Gated.with(Composed.class).run(context -> {
            Composed bean = context.getBean(Composed.class);
            assertTwoCalls("composed-call", () -> bean.call("acme"));
            assertTwoCalls("composed-call", () -> bean.call("umbrella"));
        });
    }

    @RateLimited
    static class Nameless {
        public void one() {}

        public void two() {}

        @RateLimitExempt
        public void free() {}
    }

    @RateLimited("shop")
    static class Named {
        public void one() {}

        public void two() {}
    }

    interface Api {
        @RateLimited(key = "#tenant")
        void find(String tenant);
    }

    static class FirstApi implements Api {
        @Override
        public void find(String calledOtherwise) {}
    }

    static class SecondApi implements Api {
        @Override
        public void find(String id) {}
    }

    static class Repeated {
        @RateLimited(name = "tenant", key = "#tenant")
        @RateLimited("all")
        public void both(String tenant) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimited
    @interface PerCaller {
        @AliasFor(annotation = RateLimited.class, attribute = "key")
        String by();
    }

    static class Composed {
        @PerCaller(by = "#tenant")
        public void call(String tenant) {}
    }
}
