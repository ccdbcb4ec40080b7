/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** As many requests as wrk can send: each is answered with 200 or 429, and exactly the permits are granted. */
@Tag("bench")
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class LoadTests {

    private static final int PERMITS = 20_000;
    private static final int SECONDS = Integer.getInteger("bench.seconds", 30);

    /** Counts the answers of each thread by status, and prints them all at the end. */
    private static final String COUNTING = """
            local threads = {}
            function setup(thread) table.insert(threads, thread) end
            function init() counts = {} end
            function response(status) counts[status] = (counts[status] or 0) + 1 end
            function done(summary)
              for _, thread in ipairs(threads) do
                for status, count in pairs(thread:get("counts")) do print("status " .. status .. ": " .. count) end
              end
              for kind, count in pairs(summary.errors) do if kind ~= "status" then print("error " .. kind .. ": " .. count) end end
            end
            """;

    private static final Pattern COUNT = Pattern.compile("((?:status|error) \\w+): (\\d+)");

    private final RedisServer redis;

    LoadTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @EnumSource
    void everyRequestIsAnsweredAndEveryPermitGrantedOnce(WebStack stack, @TempDir Path directory, CapturedOutput log)
            throws Exception {
        Path script = Files.writeString(directory.resolve("counting.lua"), COUNTING);
        String said;
        int logged;
        try (RunningApplication app = stack.start(
                Application.class,
                "spring.application.name=load-" + stack,
                "spring.data.redis.port=" + redis.port(),
                // A machine that is all load is late at times; that is to be no outage.
                "ratelimit.store-timeout=10s",
                "server.netty.max-keep-alive-requests=-1",
                "server.tomcat.max-keep-alive-requests=-1",
                "ratelimit.on-store-failure=deny",
                "ratelimit.limits.load.algorithm=fixed-window",
                "ratelimit.limits.load.anchor=first-call",
                "ratelimit.limits.load.permits=" + PERMITS,
                "ratelimit.limits.load.period=1h")) {
            while (app.get("/load").statusCode() == 503) {
                Thread.onSpinWait();
            }
            logged = log.getAll().length();
            said = wrk(app.uri("/load").toString(), script);
        }
        Map<String, Integer> counts = new TreeMap<>();
        COUNT.matcher(said)
                .results()
                .forEach(one -> counts.merge(one.group(1), Integer.valueOf(one.group(2)), Math::addExact));

        assertThat(counts).as(said).containsEntry("status 200", PERMITS - 1).containsKey("status 429");
        counts.keySet().removeIf(kind -> kind.equals("status 200") || kind.equals("status 429"));
        assertThat(counts.values()).as(said).allMatch(count -> count == 0);
        assertThat(log.getAll().substring(logged)).doesNotContain(" ERROR ", " WARN ", "\tat ");
        System.out.println(stack + "\n" + said);
    }

    private static String wrk(String url, Path script) throws IOException, InterruptedException {
        Process wrk = new ProcessBuilder(
                        "wrk", "-t2", "-c64", "-d" + SECONDS + "s", "--timeout", "10s", "-s", script.toString(), url)
                .redirectErrorStream(true)
                .start();
        String said = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(wrk.waitFor()).as(said).isZero();
        return said;
    }

    @EnableAutoConfiguration
    @Import(Loaded.class)
    static class Application {}

    @RestController
    static class Loaded {

        @GetMapping("/load")
        @RateLimited("load")
        public String load() {
            return "done";
        }
    }
}
