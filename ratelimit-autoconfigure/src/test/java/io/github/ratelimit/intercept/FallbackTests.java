/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a denied caller gets instead of the exception. */
class FallbackTests {

    private final ApplicationContextRunner application = Gated.with(Orders.class)
            .withBean("helper", Helper.class)
            .withPropertyValues(
                    "ratelimit.defaults.permits=1",
                    "ratelimit.limits.Tenant_Limit.permits=1",
                    "ratelimit.limits.all.permits=2",
                    "ratelimit.limits.all.period=1h");

    @Test
    void callsAMethodOfTheSameClassEvenAPrivateOne() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.create("acme")).isEqualTo("created acme");
            assertThat(orders.create("acme")).isEqualTo("later, acme");
        });
    }

    @Test
    void callsAMethodOfAnotherBean() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.helped("acme");
            assertThat(orders.helped("acme")).isEqualTo("helper for acme");
        });
    }

    @Test
    void callsAMethodOfAnotherBeanBehindAProxyOfItsInterfaces() {
        application.withPropertyValues("spring.aop.proxy-target-class=false").run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.helped("acme");
            assertThat(orders.helped("acme")).isEqualTo("helper for acme");
        });
    }

    @Test
    void takesTheMostSpecificException() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.choosing("acme");
            assertThat(orders.choosing("acme")).isEqualTo("exact: orders-choosing");
        });
    }

    @Test
    void answersDeferredTypesInTheirOwnWay() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.stage().join();
            assertThat(orders.stage().join()).isEqualTo("stage instead");
            orders.mono().block();
            assertThat(orders.mono().block()).isEqualTo("mono instead");
            orders.flux().blockLast();
            assertThat(orders.flux().collectList().block()).containsExactly("flux", "instead");
        });
    }

    @Test
    void throwsWhatTheFallbackThrows() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.throwing();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(orders::throwing)
                    .withMessage("from the fallback");
            orders.throwingLater().join();
            CompletableFuture<String> failed = orders.throwingLater();
            assertThatThrownBy(failed::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IOException.class);
        });
    }

    @Test
    void belongsToTheLimitThatDecides() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.both("acme")).isEqualTo("both for acme");
            assertThat(orders.both("acme")).isEqualTo("tenant: acme");
            orders.both("umbrella");
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> orders.both("initech"))
                    .satisfies(e -> assertThat(e.denied().limit()).isEqualTo("all"));
        });
    }

    @Test
    void mayBeInheritedWithATypeThatTheClassFillsIn() {
        Gated.with(Filling.class)
                .withPropertyValues("ratelimit.defaults.permits=1")
                .run(context -> {
                    Filling filling = context.getBean(Filling.class);
                    assertThat(filling.find("acme")).isEqualTo("found acme");
                    assertThat(filling.find("acme")).isEqualTo("open");
                    assertThat(filling.inherited("acme")).isEqualTo("open");
                    assertThat(filling.inherited("acme")).isEqualTo("plainly acme");
                });
    }

    @Test
    void mayNotBeInheritedWithATypeThatDoesNotFit() {
        Gated.with(Misfilling.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("names a method whose parameters or result do not fit"));
    }

    @Test
    void mustBeOfferedByTheProxyOfTheOtherBean() {
        ApplicationContextRunner asking = Gated.with(Asking.class).withBean("helper", Helper.class);
        asking.run(context -> assertThat(context).hasNotFailed());
        asking.withPropertyValues("spring.aop.proxy-target-class=false")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasMessageContaining(
                                        "names a method that bean 'helper' does not offer, which is a proxy of its interfaces"));
    }

    static class Open<T, P> {

        private final T open;

        Open(T open) {
            this.open = open;
        }

        public T later(P tenant) {
            return open;
        }

        @RateLimited(fallback = "plainly")
        public T inherited(P tenant) {
            return open;
        }
    }

    static class Filling extends Open<String, String> {
        Filling() {
            super("open");
        }

        @RateLimited(fallback = "later")
        public String find(String tenant) {
            return "found " + tenant;
        }

        public String plainly(String tenant) {
            return "plainly " + tenant;
        }
    }

    static class Misfilling extends Open<Integer, String> {
        Misfilling() {
            super(1);
        }

        @RateLimited(fallback = "later")
        public String find(String tenant) {
            return tenant;
        }

        public Integer plainly(String tenant) {
            return 1;
        }
    }

    static class Asking {
        @RateLimited(fallback = "helper::more")
        public String ask(String tenant) {
            return tenant;
        }
    }

    interface Help {
        String help(String tenant);
    }

    static class Helper implements Help {
        @Override
        @RateLimited(permits = 100)
        public String help(String tenant) {
            return "helper for " + tenant;
        }

        public String more(String tenant) {
            return "more for " + tenant;
        }
    }

    @SuppressWarnings("UnusedMethod") // named by the annotations
    static class Orders {

        @RateLimited(key = "#tenant", fallback = "createLater")
        public String create(String tenant) {
            return "created " + tenant;
        }

        private String createLater(String tenant) {
            return "later, " + tenant;
        }

        @RateLimited(fallback = "helper::help")
        public String helped(String tenant) {
            return tenant;
        }

        @RateLimited(fallback = "chosen")
        public String choosing(String tenant) {
            return tenant;
        }

        String chosen(String tenant) {
            return "none";
        }

        String chosen(String tenant, RuntimeException e) {
            return "wide";
        }

        String chosen(String tenant, RateLimitExceededException e) {
            return "exact: " + e.denied().limit();
        }

        @RateLimited(fallback = "stageInstead")
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("stage");
        }

        CompletableFuture<String> stageInstead() {
            return CompletableFuture.completedFuture("stage instead");
        }

        @RateLimited(fallback = "monoInstead")
        public Mono<String> mono() {
            return Mono.just("mono");
        }

        Mono<String> monoInstead() {
            return Mono.just("mono instead");
        }

        @RateLimited(fallback = "fluxInstead")
        public Flux<String> flux() {
            return Flux.just("flux");
        }

        Flux<String> fluxInstead(Exception e) {
            return Flux.just("flux", "instead");
        }

        @RateLimited(fallback = "failing")
        public void throwing() throws IOException {}

        void failing() throws IOException {
            throw new IOException("from the fallback");
        }

        @RateLimited(fallback = "failingLater")
        public CompletableFuture<String> throwingLater() {
            return CompletableFuture.completedFuture("fine");
        }

        CompletableFuture<String> failingLater() throws IOException {
            throw new IOException("from the fallback");
        }

        @RateLimited(name = "tenant-limit", key = "#tenant", fallback = "tenantSpent")
        @RateLimited("all")
        public String both(String tenant) {
            return "both for " + tenant;
        }

        String tenantSpent(String tenant) {
            return "tenant: " + tenant;
        }
    }
}
