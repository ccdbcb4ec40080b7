/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.ReactiveRateLimiter;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.ui.Model;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.SessionAttributes;
import org.springframework.web.bind.support.SessionStatus;
import org.springframework.web.server.WebFilter;

/** A denial that a filter tolerates takes nothing from the controller behind it: it binds as it says. */
class BindingBesideDenialsTests {

    @Test
    void controllersBindAsTheySay() throws Exception {
        try (RunningApplication app = WebStack.REACTIVE.start(
                Application.class,
                "ratelimit.store=local",
                "ratelimit.limits.tolerated.permits=1",
                "ratelimit.limits.tolerated.period=1h")) {
            for (String remaining : new String[] {"allowed", "denied"}) {
                RawAnswer bound = app.send("GET /order?text=mine&price=1 HTTP/1.1", "X-Expected: " + remaining);

                assertThat(bound.body()).as(remaining).isEqualTo("mine for 100 in a shop");
                assertThat(bound.header("X-Seen")).isEqualTo(remaining);
                assertThat(app.send("GET /failing HTTP/1.1").body()).isEqualTo("handled");
            }
        }
    }

    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {

        @Bean
        WebFilter tolerant(ReactiveRateLimiter limiter) {
            return (exchange, chain) -> limiter.tryAcquire("tolerated", "everybody")
                    .doOnNext(decision ->
                            exchange.getResponse().getHeaders().set("X-Seen", decision.passes() ? "allowed" : "denied"))
                    .then(chain.filter(exchange));
        }
    }

    @RestController
    @SessionAttributes("order")
    static class Orders {

        @InitBinder
        void protect(WebDataBinder binder) {
            binder.setDisallowedFields("price");
        }

        @ModelAttribute
        void shop(Model model) {
            model.addAttribute("shop", "a shop");
        }

        @ModelAttribute("order")
        Order order() {
            return new Order();
        }

        @GetMapping("/order")
        String order(@ModelAttribute("order") Order order, Model model, SessionStatus status) {
            status.setComplete();
            return order.getText() + " for " + order.getPrice() + " in " + model.getAttribute("shop");
        }

        @GetMapping("/failing")
        String failing() {
            throw new IllegalStateException("for the test");
        }

        @ExceptionHandler
        ResponseEntity<String> any(IllegalStateException failure) {
            return ResponseEntity.ok("handled");
        }
    }

    /** What a request may fill in, but for the price. */
    static class Order {

        private String text = "";
        private int price = 100;

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }

        public int getPrice() {
            return price;
        }

        public void setPrice(int price) {
            this.price = price;
        }
    }
}
