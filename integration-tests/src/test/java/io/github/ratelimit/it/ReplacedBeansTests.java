/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.convention.TestBean;

/** A test that puts its own object in the place of a limited bean; mocks are put there in the same way. */
@SpringBootTest(
        properties = {"ratelimit.store=local", "ratelimit.defaults.permits=1", "ratelimit.defaults.period=1h"},
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ExtendWith(OutputCaptureExtension.class)
class ReplacedBeansTests {

    @TestBean
    private @Nullable Payments payments;

    static Payments payments() {
        return new Payments() {
            @Override
            public String pay() {
                return "paid by the test";
            }
        };
    }

    @Test
    void areAsTheTestHasThemAndTheOthersAreLimited(
            @Autowired Payments replaced, @Autowired Orders orders, CapturedOutput output) {
        assertThat(replaced).isSameAs(payments);
        assertThat(replaced.pay()).isEqualTo("paid by the test");
        assertThat(replaced.pay()).isEqualTo("paid by the test");

        orders.create();
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::create);
        assertThat(output)
                .contains("Orders.create() is limited by")
                .contains("Payments' is not limited: it stands in for another one in this test")
                .doesNotContain("Payments.pay() is limited by");
    }

    static class Payments {

        @RateLimited
        public String pay() {
            return "paid";
        }
    }

    static class Orders {

        @RateLimited
        public void create() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Payments.class, Orders.class})
    static class Application {}
}
