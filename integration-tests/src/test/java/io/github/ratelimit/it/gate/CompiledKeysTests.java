/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys that SpEL has compiled, on either line of Spring: whose failure it is shows in who was on the stack. */
class CompiledKeysTests {

    private static final int UNTIL_LONG_COMPILED = 100;

    @Test
    void askAGetterOnceThoughItFails() {
        Gated.with(Orders.class)
                .withPropertyValues("ratelimit.defaults.permits=1000")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    Tenant tenant = new Tenant();
                    for (int i = 0; i < UNTIL_LONG_COMPILED; i++) {
                        orders.create(tenant);
                    }
                    tenant.failure = new NullPointerException("the getter's own");
                    for (int i = 1; i <= UNTIL_LONG_COMPILED; i++) {
                        assertThatThrownBy(() -> orders.create(tenant)).isSameAs(tenant.failure);
                        assertThat(tenant.asked).isEqualTo(UNTIL_LONG_COMPILED + i);
                    }
                });
    }

    @Test
    void areNobodyWhereTheIndexIsNotThere() {
        Gated.with(Orders.class)
                .withPropertyValues("ratelimit.defaults.permits=1000")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    for (int i = 0; i < UNTIL_LONG_COMPILED; i++) {
                        orders.batch(List.of("acme", "umbrella"));
                        assertThatExceptionOfType(InvalidRateLimitKeyException.class)
                                .isThrownBy(() -> orders.batch(List.of("acme")));
                    }
                });
    }

    /** Whose name is asked for. */
    public static class Tenant {

        private int asked;
        private @Nullable RuntimeException failure;

        /** The name, or a failure. */
        public String getName() {
            asked++;
            if (failure != null) {
                throw failure;
            }
            return "acme";
        }
    }

    /** Limited by keys that are compiled after a while. */
    public static class Orders {

        @RateLimited(key = "#tenant.name + '!'")
        public void create(Tenant tenant) {}

        @RateLimited(key = "#tenants[1]")
        public void batch(List<String> tenants) {}
    }
}
