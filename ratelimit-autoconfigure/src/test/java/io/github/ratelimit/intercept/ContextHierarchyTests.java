/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertDenied;
import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where an application is a context with another one below it, each has a gate before its beans, and they share the limits. */
class ContextHierarchyTests {

    @Test
    void limitsBeansOfBoth() {
        Gated.with(Upper.class)
                .run(parent -> Gated.with(Lower.class).withParent(parent).run(child -> {
                    assertTwoCalls("lower-call", child.getBean(Lower.class)::call);
                    assertTwoCalls("upper-call", child.getBean(Upper.class)::call);
                }));
    }

    @Test
    void countsTogetherWhatHasOneName() {
        Gated.with(Upper.class)
                .run(parent -> Gated.with(Lower.class).withParent(parent).run(child -> {
                    assertTwoCalls("shared", parent.getBean(Upper.class)::shared);
                    assertDenied("shared", child.getBean(Lower.class)::shared);
                    assertThat(child.getBean(RateLimiter.class)).isSameAs(parent.getBean(RateLimiter.class));
                }));
    }

    /** Both contexts put their gate before it. */
    @Test
    void countsABeanOfTheUpperOneOnceThatTheLowerOneOffersAgain() {
        Gated.with(Upper.class)
                .run(parent -> Gated.with(OfferingAgain.class)
                        .withParent(parent)
                        .run(child -> {
                            Upper again = child.getBean("again", Upper.class);
                            assertThat(again).isNotSameAs(parent.getBean(Upper.class));
                            assertTwoCalls("upper-call", again::call);
                        }));
    }

    @Test
    void findsTheBeansOfTheContextThatTheMethodBelongsTo() {
        Gated.with(Upper.class)
                .run(parent -> Gated.with(Asking.class).withParent(parent).run(child -> {
                    Asked asked = child.getBean(Asked.class);
                    assertThat(asked.call()).isEqualTo("called");
                    assertThat(asked.call()).isEqualTo("helped");
                }));
    }

    @Test
    void stopsTheStartOfTheLowerOne() {
        Gated.with(Upper.class)
                .run(parent -> Gated.with(Mistaken.class)
                        .withParent(parent)
                        .run(child -> assertThat(child)
                                .getFailure()
                                .hasMessageContaining("Mistaken.call()")
                                .hasMessageContaining("unknown variable '#nobody'")));
    }

    @Test
    void leavesTheUpperOneAtWorkWhenTheLowerOneIsClosed() {
        Gated.with(Waiting.class).run(parent -> {
            Gated.with(Lower.class)
                    .withParent(parent)
                    .run(child -> child.getBean(Lower.class).call());

            for (int i = 0; i < 5; i++) {
                parent.getBean(Waiting.class).call();
            }
        });
    }

    static class Upper {
        @RateLimited
        public void call() {}

        @RateLimited(name = "shared", permits = 2, period = "1h")
        public void shared() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OfferingAgain {
        @Bean
        Upper again(Upper upper) {
            return upper;
        }
    }

    static class Lower {
        @RateLimited
        public void call() {}

        @RateLimited(name = "shared", permits = 2, period = "1h")
        public void shared() {}
    }

    static class Waiting {
        @RateLimited(permits = 2, period = "100ms", maxWait = "1m")
        public void call() {}
    }

    static class Mistaken {
        @RateLimited(key = "#nobody")
        public void call() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Asking {
        @Bean
        Asked asked() {
            return new Asked();
        }

        @Bean
        Helper helper() {
            return new Helper();
        }
    }

    static class Asked {
        @RateLimited(permits = 1, key = "@helper.key()", fallback = "helper::help")
        public String call() {
            return "called";
        }
    }

    static class Helper {
        public String key() {
            return "key";
        }

        public String help() {
            return "helped";
        }
    }
}
