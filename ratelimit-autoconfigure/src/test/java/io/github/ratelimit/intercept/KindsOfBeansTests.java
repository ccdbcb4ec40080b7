/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.intercept.Gated.assertDenied;
import static io.github.ratelimit.intercept.Gated.assertTwoCalls;
import static io.github.ratelimit.intercept.Gated.assertUnlimited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.data.annotation.Id;
import org.springframework.data.keyvalue.core.KeyValueTemplate;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.keyvalue.repository.support.KeyValueRepositoryFactory;
import org.springframework.data.map.MapKeyValueAdapter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Whatever a bean is and however it is proxied, its calls are limited; here without AspectJ on the class path. */
class KindsOfBeansTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.aop.auto=true",
                "spring.aop.auto=false",
                "spring.aop.proxy-target-class=true",
                "spring.aop.proxy-target-class=false",
            })
    void limitsWithEveryKindOfProxy(String property) {
        Gated.with(Service.class).withPropertyValues(property).run(context -> {
            Greeter greeter = context.getBean(Greeter.class);
            assertThat(AopUtils.isJdkDynamicProxy(greeter)).isEqualTo(property.endsWith("proxy-target-class=false"));
            assertTwoCalls("service-greet", () -> greeter.greet("acme"));
        });
    }

    @Test
    void limitsControllers() {
        Gated.with(Controller.class)
                .run(context -> assertTwoCalls(
                        "controller-get",
                        () -> context.getBean(Controller.class).get("acme")));
    }

    @Test
    void limitsEventListeners() {
        Gated.with(Listener.class).run(context -> {
            context.publishEvent(new Happened());
            context.publishEvent(new Happened());
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> context.publishEvent(new Happened()));
            assertThat(context.getBean(Listener.class).heard()).isEqualTo(2);
        });
    }

    @Test
    void limitsBeansDeclaredByTheirInterface() {
        Gated.with(Declared.class)
                .run(context -> assertTwoCalls(
                        "service-greet", () -> context.getBean(Greeter.class).greet("acme")));
    }

    @Test
    void limitsHttpClients() {
        Gated.with(Clients.class).run(context -> {
            Client client = context.getBean(Client.class);
            assertTwoCalls("client-fetch", () -> client.fetch("acme"));
            assertTwoCalls("client-fetch", () -> client.fetch("umbrella"));
        });
    }

    /** Their proxies stand before a class that implements none of the repository's own interface. */
    @Test
    void limitsRepositories() {
        Gated.with(Repositories.class).run(context -> {
            Drafts drafts = context.getBean(Drafts.class);
            assertTwoCalls("drafts-count", drafts::count);
            assertTwoCalls("drafts-find-by-id", () -> drafts.findById("first"));
            assertUnlimited(drafts::findAll);
            Papers papers = context.getBean(Papers.class);
            assertTwoCalls("papers", papers::count);
            assertDenied("papers", papers::findAll);
        });
    }

    @Test
    void limitsLambdasByTheirInterface() {
        Gated.with(Lambdas.class)
                .run(context -> assertTwoCalls(
                        "work-run", () -> context.getBean(Work.class).run()));
    }

    @Test
    void countsPrototypesTogether() {
        Gated.with(Others.class).run(context -> {
            context.getBean("prototype", Service.class).greet("acme");
            context.getBean("prototype", Service.class).greet("acme");
            assertDenied(
                    "service-greet",
                    () -> context.getBean("prototype", Service.class).greet("acme"));
        });
    }

    @Test
    void countsCallsThroughAScopedProxyOnce() {
        Gated.with(Others.class)
                .run(context -> assertTwoCalls(
                        "service-greet",
                        () -> context.getBean("scoped", Service.class).greet("acme")));
    }

    @Test
    void limitsLazyBeans() {
        Gated.with(Others.class)
                .run(context -> assertTwoCalls(
                        "service-greet",
                        () -> context.getBean("lazy", Service.class).greet("acme")));
    }

    interface Greeter {
        String greet(String tenant);
    }

    static class Service implements Greeter {
        @Override
        @RateLimited(key = "#tenant")
        public String greet(String tenant) {
            return tenant;
        }
    }

    @RestController
    static class Controller {
        @GetMapping("/")
        @RateLimited(key = "#tenant")
        public String get(String tenant) {
            return tenant;
        }
    }

    record Happened() {}

    static class Listener {
        private final AtomicInteger heard = new AtomicInteger();

        @EventListener
        @RateLimited
        public void on(Happened event) {
            heard.incrementAndGet();
        }

        int heard() {
            return heard.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Declared {
        @Bean
        Greeter greeter() {
            return new Service();
        }
    }

    interface Client {
        @GetExchange("/{tenant}")
        @RateLimited(key = "#tenant")
        String fetch(String tenant);
    }

    record Paper(@Id String id) {}

    interface Drafts extends KeyValueRepository<Paper, String> {
        @Override
        @RateLimited
        long count();

        @Override
        @RateLimited
        Optional<Paper> findById(String id);
    }

    @RateLimited(name = "papers", permits = 2, period = "1h")
    interface Papers extends KeyValueRepository<Paper, String> {}

    @Configuration(proxyBeanMethods = false)
    static class Repositories {
        @Bean
        Drafts drafts() {
            return repository(Drafts.class);
        }

        @Bean
        Papers papers() {
            return repository(Papers.class);
        }

        private static <T> T repository(Class<T> type) {
            return new KeyValueRepositoryFactory(new KeyValueTemplate(new MapKeyValueAdapter())).getRepository(type);
        }
    }

    interface Work {
        @RateLimited
        void run();
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {
        @Bean
        Client client() {
            return HttpServiceProxyFactory.builder()
                    .exchangeAdapter(new Canned())
                    .customArgumentResolver((argument, parameter, values) -> true)
                    .build()
                    .createClient(Client.class);
        }
    }

    /** Answers without a network. */
    static class Canned implements HttpExchangeAdapter {
        @Override
        public boolean supportsRequestAttributes() {
            return false;
        }

        @Override
        public void exchange(HttpRequestValues request) {}

        @Override
        public HttpHeaders exchangeForHeaders(HttpRequestValues request) {
            return new HttpHeaders();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T exchangeForBody(HttpRequestValues request, ParameterizedTypeReference<T> type) {
            return (T) "canned";
        }

        @Override
        public ResponseEntity<Void> exchangeForBodilessEntity(HttpRequestValues request) {
            return ResponseEntity.noContent().build();
        }

        @Override
        public <T> ResponseEntity<T> exchangeForEntity(HttpRequestValues request, ParameterizedTypeReference<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Lambdas {
        @Bean
        Work work() {
            return () -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Others {
        @Bean
        static BeanFactoryPostProcessor threadScope() {
            return beans -> beans.registerScope("thread", new SimpleThreadScope());
        }

        @Bean
        @Scope("prototype")
        Service prototype() {
            return new Service();
        }

        @Bean
        @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Service scoped() {
            return new Service();
        }

        @Bean
        @Lazy
        Service lazy() {
            return new Service();
        }
    }
}
