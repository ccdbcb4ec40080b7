/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.gate.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.registry.ImportHttpServices;

/** HTTP clients that are registered as a group, as of Spring 7: nobody writes a bean method for them. */
class RegisteredClientsTests {

    @Test
    void areLimitedBeforeAnythingIsSent() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .withPropertyValues(
                        "ratelimit.store=local", "ratelimit.defaults.permits=2", "ratelimit.defaults.period=1h")
                .withUserConfiguration(Clients.class)
                .run(context -> {
                    Weather weather = context.getBean(Weather.class);
                    assertThat(weather.today("rome")).isEqualTo("sunny");
                    assertThat(weather.today("rome")).isEqualTo("sunny");
                    assertThatExceptionOfType(RateLimitExceededException.class)
                            .isThrownBy(() -> weather.today("rome"))
                            .satisfies(e -> assertThat(e.denied().limit()).isEqualTo("weather-today"));
                    assertThat(weather.today("oslo")).isEqualTo("sunny");
                    assertThat(context.getBean(AtomicInteger.class)).hasValue(3);
                });
    }

    /** A client. */
    @HttpExchange("http://weather.example")
    public interface Weather {
        @GetExchange("/today")
        @RateLimited(key = "#city")
        String today(@RequestParam String city);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportHttpServices(group = "weather", types = Weather.class)
    static class Clients {

        @Bean
        AtomicInteger sent() {
            return new AtomicInteger();
        }

        @Bean
        RestClientHttpServiceGroupConfigurer answering(AtomicInteger sent) {
            return groups ->
                    groups.forEachClient((group, client) -> client.requestInterceptor((request, body, next) -> {
                        sent.incrementAndGet();
                        return new MockClientHttpResponse("sunny".getBytes(StandardCharsets.UTF_8), HttpStatus.OK);
                    }));
        }
    }
}
