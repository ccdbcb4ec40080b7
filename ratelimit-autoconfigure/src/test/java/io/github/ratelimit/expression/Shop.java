/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Methods and types for expressions to be written about. */
@SuppressWarnings("unused")
public class Shop {

    public record Customer(@Nullable String id, long number, boolean vip) {}

    public static class Order {

        public @Nullable String note;

        private final @Nullable Customer customer;
        private final int size;

        public Order(@Nullable Customer customer, int size) {
            this.customer = customer;
            this.size = size;
        }

        public @Nullable Customer getCustomer() {
            return customer;
        }

        public int getSize() {
            return size;
        }

        public boolean isLarge() {
            return size > 100;
        }
    }

    public static class GiftOrder extends Order {

        public GiftOrder(@Nullable Customer customer, int size) {
            super(customer, size);
        }

        public String getGiver() {
            return "aunt";
        }
    }

    record Hidden(String id) {}

    public static final class Opaque {}

    public enum Level {
        GOLD,
        SILVER {
            @Override
            public String toString() {
                return "not my name";
            }
        }
    }

    public void order(String tenantId, Order order) {}

    public void number(long id, Integer boxed, double amount) {}

    public void values(Object value, List<Object> list, Map<String, Object> map, String[] array) {}

    public void batch(Collection<String> batch) {}

    public void opaque(Opaque opaque, Opaque[] many, InputStream stream) {}

    public void hidden(Hidden hidden) {}

    public void level(Level level, Optional<String> plan, UUID id) {}

    public void two(String tenant, String user) {}

    public void caller(String caller) {}

    public void taken(String root, String tenantId) {}

    public void later(Mono<String> tenant, CompletionStage<String> user) {}

    public void nothing() {}

    public <T extends Order> void generic(T order) {}
}
