/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.ratelimit.RateLimitDeniedEvent;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.listener.adapter.MessageListenerAdapter;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * Whole applications whose limited methods are called by somebody else than the application: the scheduler, the publisher
 * of events, a container of message listeners, a client of HTTP that is nothing but an interface. Two calls pass, those
 * after them are denied and leave no trace.
 */
@WithRedis
class CalledByFrameworksTests {

    private static final String CHANNEL = "orders";

    private final RedisServer redis;

    CalledByFrameworksTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @EnumSource
    void areLimited(WebStack stack) {
        try (RunningApplication app = stack.start(
                Application.class,
                "spring.application.name=called-on-" + stack,
                "spring.data.redis.host=" + redis.host(),
                "spring.data.redis.port=" + redis.port(),
                "ratelimit.store-timeout=20s",
                "ratelimit.defaults.permits=2",
                "ratelimit.defaults.period=1h")) {
            Diary diary = app.context().getBean(Diary.class);
            assertThatTheSchedulerIsLimited(diary);
            assertThatEventListenersAreLimited(app, diary);
            assertThatMessageListenersAreLimited(app, diary);
            assertThatClientsAreLimited(app, diary);
        }
    }

    private static void assertThatTheSchedulerIsLimited(Diary diary) {
        await().until(() -> diary.count("denied jobs-tick") >= 3);
        assertThat(diary.count("tick")).isEqualTo(2);
    }

    private static void assertThatEventListenersAreLimited(RunningApplication app, Diary diary) {
        app.context().publishEvent(new Ordered("acme"));
        app.context().publishEvent(new Ordered("acme"));
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> app.context().publishEvent(new Ordered("acme")));
        app.context().publishEvent(new Ordered("umbrella"));
        assertThat(diary.count("event of acme")).isEqualTo(2);
        assertThat(diary.count("event of umbrella")).isEqualTo(1);
    }

    private static void assertThatMessageListenersAreLimited(RunningApplication app, Diary diary) {
        StringRedisTemplate template = app.context().getBean(StringRedisTemplate.class);
        for (int i = 0; i < 4; i++) {
            template.convertAndSend(CHANNEL, "ordered");
        }
        await().until(() -> diary.count("denied jobs-on-message") == 2);
        assertThat(diary.count("message ordered")).isEqualTo(2);
    }

    private static void assertThatClientsAreLimited(RunningApplication app, Diary diary) {
        Client client = app.context().getBean(Client.class);
        assertThat(client.fetch("acme")).isEqualTo("fetched acme");
        assertThat(client.fetch("acme")).isEqualTo("fetched acme");
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> client.fetch("acme"))
                .satisfies(e -> assertThat(e.denied().limit()).isEqualTo("client-fetch"));
        assertThat(diary.count("request for acme")).isEqualTo(2);
    }

    /** What happened, in words. */
    static class Diary {

        private final Queue<String> entries = new ConcurrentLinkedQueue<>();

        void add(String entry) {
            entries.add(entry);
        }

        long count(String entry) {
            return entries.stream().filter(entry::equals).count();
        }

        @EventListener
        public void on(RateLimitDeniedEvent event) {
            add("denied " + event.denied().limit());
        }
    }

    record Ordered(String tenant) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    @Import({Diary.class, Jobs.class, Server.class})
    static class Application {
        @Bean
        RedisMessageListenerContainer messages(RedisConnectionFactory redis, Jobs jobs) {
            RedisMessageListenerContainer container = new RedisMessageListenerContainer();
            container.setConnectionFactory(redis);
            MessageListenerAdapter listener = new MessageListenerAdapter(jobs, "onMessage");
            listener.afterPropertiesSet();
            container.addMessageListener(listener, ChannelTopic.of(CHANNEL));
            return container;
        }

        @Bean
        @Lazy
        Client client(Environment environment) {
            String server = "http://localhost:" + environment.getRequiredProperty("local.server.port");
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(RestClient.create(server)))
                    .build()
                    .createClient(Client.class);
        }
    }

    static class Jobs {

        private final Diary diary;

        Jobs(Diary diary) {
            this.diary = diary;
        }

        @Scheduled(fixedDelay = 100)
        @RateLimited
        public void tick() {
            diary.add("tick");
        }

        @EventListener
        @RateLimited(key = "#ordered.tenant")
        public void on(Ordered ordered) {
            diary.add("event of " + ordered.tenant());
        }

        @RateLimited
        public void onMessage(String message) {
            diary.add("message " + message);
        }
    }

    @RestController
    static class Server {

        private final Diary diary;

        Server(Diary diary) {
            this.diary = diary;
        }

        @GetMapping("/fetch/{tenant}")
        String fetch(@PathVariable String tenant) {
            diary.add("request for " + tenant);
            return "fetched " + tenant;
        }
    }

    interface Client {
        @GetExchange("/fetch/{tenant}")
        @RateLimited(key = "#tenant")
        String fetch(@PathVariable String tenant);
    }
}
