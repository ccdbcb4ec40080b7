/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample at saturation, on both stacks: every request is answered, every permit granted once, nothing is logged. */
@Tag("bench")
@WithRedis
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

    /** One that is not over. */
    private static final Pattern OUTAGE = Pattern.compile("(?s)Until it is back(?!.*Redis answers again)");

    private final RedisServer redis;

    LoadTests(RedisServer redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Tomcat", "Netty"})
    void isAnsweredWith200And429Alone(String server, @TempDir Path directory) throws Exception {
        int spent;
        String said;
        String logged;
        try (Instance sample = Instance.start(
                redis,
                "--spring.profiles.active=" + (server.equals("Netty") ? "reactive" : "default"),
                "--spring.application.name=load-" + server,
                "--server.tomcat.max-keep-alive-requests=-1",
                "--server.netty.max-keep-alive-requests=-1",
                "--ratelimit.on-store-failure=deny",
                // A limit that follows the load says so; here everything is load.
                "--ratelimit.limits.catalogue.adaptive.high-cpu=1.0",
                "--ratelimit.limits.load.permits=" + PERMITS)) {
            spent = untilItCounts(sample);
            int before = silence(sample);
            said = wrk("http://localhost:" + sample.port() + "/load", directory);
            logged = sample.log().substring(before);
        }
        Map<String, Integer> counts = new TreeMap<>();
        COUNT.matcher(said)
                .results()
                .forEach(one -> counts.merge(one.group(1), Integer.valueOf(one.group(2)), Math::addExact));
        System.out.println(server + "\n" + said);
        assertThat(counts).as(said).containsEntry("status 200", PERMITS - spent).containsKey("status 429");
        counts.keySet().removeIf(kind -> kind.equals("status 200") || kind.equals("status 429"));
        assertThat(counts.values()).as(said).allMatch(count -> count == 0);
        assertThat(logged).isEmpty();
    }

    /** Calls until Redis answers, which takes a while on a machine that has no time to start on; returns what that spent. */
    private static int untilItCounts(Instance sample) throws IOException, InterruptedException {
        int spent = 0;
        while (spent == 0 || OUTAGE.matcher(sample.log()).find()) {
            spent += sample.http().get("/load").statusCode() == 200 ? 1 : 0;
            Thread.sleep(100);
        }
        return spent;
    }

    /** How much is logged when nothing has been for two seconds: a start is not over with the first answer. */
    private static int silence(Instance sample) throws InterruptedException {
        int length = -1;
        while (length != sample.log().length()) {
            length = sample.log().length();
            Thread.sleep(2_000);
        }
        return length;
    }

    private static String wrk(String url, Path directory) throws IOException, InterruptedException {
        Path script = Files.writeString(directory.resolve("counting.lua"), COUNTING);
        ProcessBuilder command = new ProcessBuilder(
                "wrk", "-t2", "-c64", "-d" + SECONDS + "s", "--timeout", "10s", "-s", script.toString(), url);
        Process wrk;
        try {
            wrk = command.redirectErrorStream(true).start();
        } catch (IOException missing) {
            throw new IllegalStateException("wrk is not on the PATH. On Debian: apt-get install wrk", missing);
        }
        String said = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(wrk.waitFor()).as(said).isZero();
        return said;
    }
}
