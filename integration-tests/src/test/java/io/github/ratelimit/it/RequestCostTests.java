/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.handler.DefaultWebFilterChain;
import reactor.core.publisher.Mono;

/** What the filters take from a request that no rule matches, above one that passes none of them. */
@Tag("bench")
class RequestCostTests {

    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int REQUESTS = 20_000;
    private static final int ROUNDS = 7;
    private static final String PATH = "/customers/4711/invoices";

    @ParameterizedTest
    @CsvSource({"SERVLET, 0", "SERVLET, 1", "SERVLET, 10", "REACTIVE, 0", "REACTIVE, 1", "REACTIVE, 10"})
    void isSmall(WebStack stack, int rules) {
        String[] properties = Stream.concat(
                        Stream.of(
                                "ratelimit.store=local",
                                "ratelimit.limits.all.permits=1",
                                "ratelimit.limits.all.period=1h"),
                        IntStream.range(0, rules).boxed().flatMap(RequestCostTests::rule))
                .toArray(String[]::new);
        try (RunningApplication app = stack.start(Application.class, properties)) {
            ApplicationContext context = app.context();
            Runnable bare = stack == WebStack.SERVLET ? servlet(List.of()) : reactive(List.of());
            Runnable filtered = stack == WebStack.SERVLET ? servlet(filters(context)) : reactive(webFilters(context));
            List<long[]> above = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                long[] without = costOf(bare);
                long[] with = costOf(filtered);
                above.add(new long[] {with[0] - without[0], with[1] - without[1]});
            }
            above.sort(Comparator.comparingLong(cost -> cost[0]));
            long[] median = above.get(ROUNDS / 2);
            System.out.printf("%s, rules: %d, above no filter: %d ns, %d B%n", stack, rules, median[0], median[1]);
            assertThat(median[0]).isLessThan(5_000);
        }
    }

    private static Stream<String> rule(int index) {
        String rule = "ratelimit.http.rules[" + index + "].";
        return Stream.of(rule + "path=/api/v" + index + "/**", rule + "limits=all");
    }

    private static long[] costOf(Runnable request) {
        long processor = THREAD.getCurrentThreadCpuTime();
        long bytes = THREAD.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < REQUESTS; i++) {
            request.run();
        }
        return new long[] {
            (THREAD.getCurrentThreadCpuTime() - processor) / REQUESTS,
            (THREAD.getCurrentThreadAllocatedBytes() - bytes) / REQUESTS
        };
    }

    private static List<Filter> filters(ApplicationContext context) {
        List<FilterRegistrationBean<?>> enabled = new ArrayList<>();
        for (FilterRegistrationBean<?> registration :
                context.getBeansOfType(FilterRegistrationBean.class).values()) {
            if (registration.isEnabled()) {
                enabled.add(registration);
            }
        }
        enabled.sort(Comparator.comparingInt(registration -> registration.getOrder()));
        List<Filter> ours = new ArrayList<>();
        for (FilterRegistrationBean<?> registration : enabled) {
            Filter filter = registration.getFilter();
            if (filter != null && isOurs(filter)) {
                ours.add(filter);
            }
        }
        return ours;
    }

    private static List<WebFilter> webFilters(ApplicationContext context) {
        return context.getBeansOfType(WebFilter.class).values().stream()
                .filter(RequestCostTests::isOurs)
                .sorted(Comparator.comparingInt(filter -> ((Ordered) filter).getOrder()))
                .toList();
    }

    private static boolean isOurs(Object filter) {
        return filter.getClass().getName().startsWith("io.github.ratelimit.");
    }

    private static Runnable servlet(List<Filter> filters) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", PATH);
        MockHttpServletResponse response = new MockHttpServletResponse();
        return () -> {
            request.clearAttributes();
            pass(filters, 0, request, response);
        };
    }

    private static void pass(List<Filter> filters, int index, ServletRequest request, ServletResponse response) {
        if (index == filters.size()) {
            return;
        }
        try {
            filters.get(index).doFilter(request, response, (on, back) -> pass(filters, index + 1, on, back));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Runnable reactive(List<WebFilter> filters) {
        DefaultWebFilterChain chain = new DefaultWebFilterChain(exchange -> Mono.empty(), filters);
        MockServerHttpRequest request = MockServerHttpRequest.get(PATH).build();
        return () -> {
            var unused = chain.filter(MockServerWebExchange.from(request)).subscribe();
        };
    }

    @EnableAutoConfiguration
    static class Application {}
}
