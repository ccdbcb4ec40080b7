/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** Where the JVM's time goes, by JFR: the hottest frames of an allowed and of a denied call, written into the page. */
public final class Profile {

    static final Path RESULTS = OnRedis.RESULTS.resolveSibling("profile.csv");

    private static final int HOTTEST = 3;

    /** Another in every run. */
    private static final Pattern LAMBDA_NUMBER = Pattern.compile("[./]0x[0-9a-f]+$");

    private static final List<Scenario> SCENARIOS =
            List.of(Scenario.KEYS_ALLOWED, Scenario.HOT_ALLOWED, Scenario.HOT_DENIED);

    private Profile() {}

    /** How long each scenario is looked at, in seconds. */
    public static void main(String[] arguments) throws Exception {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        List<String> lines = new ArrayList<>(List.of("# " + Machine.describe(), "scenario,percent,frame"));
        for (Scenario scenario : SCENARIOS) {
            lines.addAll(profile(scenario, seconds));
        }
        Files.write(RESULTS, lines);
        rewrite();
        System.exit(0);
    }

    static void rewrite() throws IOException {
        Files.writeString(OnRedis.PAGE, with(Files.readAllLines(RESULTS), Files.readString(OnRedis.PAGE)));
    }

    private static List<String> profile(Scenario scenario, int seconds) throws Exception {
        Path file = Files.createTempFile("profile", ".jfr");
        try (RedisServer redis = RedisServer.start();
                ServerWork work = new ServerWork(redis);
                Contender ours = Ours.byDefault(redis, scenario);
                Recording recording = new Recording()) {
            Load load = new Load(ours, scenario, Callers.PLATFORM);
            load.run(0, work, 3_000, 1_000);
            for (String samples : List.of("jdk.ExecutionSample", "jdk.NativeMethodSample")) {
                recording.enable(samples).withPeriod(Duration.ofMillis(10));
            }
            recording.start();
            load.run(1, work, 100, seconds * 1_000L);
            recording.stop();
            recording.dump(file);
            return hottest(scenario, file);
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> hottest(Scenario scenario, Path file) throws IOException {
        Map<String, Integer> samples = new HashMap<>();
        int all = 0;
        for (RecordedEvent sample : RecordingFile.readAllEvents(file)) {
            RecordedFrame top = sample.getStackTrace() == null || isWaiting(sample)
                    ? null
                    : sample.getStackTrace().getFrames().get(0);
            if (top != null) {
                samples.merge(name(top.getMethod()), 1, Integer::sum);
                all++;
            }
        }
        double total = all;
        return samples.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(HOTTEST)
                .map(frame -> String.format(
                        Locale.ROOT, "%s,%.1f,%s", scenario, 100 * frame.getValue() / total, frame.getKey()))
                .toList();
    }

    /** Samples in native calls say where a thread is, not that it takes time: all but those that read and write wait. */
    private static boolean isWaiting(RecordedEvent sample) {
        String method = name(sample.getStackTrace().getFrames().get(0).getMethod());
        return sample.getEventType().getName().equals("jdk.NativeMethodSample")
                && !method.contains("write")
                && !method.contains("read0");
    }

    private static String name(RecordedMethod method) {
        String type = LAMBDA_NUMBER.matcher(method.getType().getName()).replaceFirst("");
        return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
    }

    /** The page with its section as these lines have it. */
    static String with(List<String> lines, String page) {
        StringBuilder text = new StringBuilder(
                "\n" + lines.get(0).substring(2) + ".\n\n| | % of samples | frame |\n|---|--:|---|\n");
        for (String line : lines.subList(2, lines.size())) {
            String[] fields = line.split(",", 3);
            text.append(
                    "| %s | %s | `%s` |\n".formatted(Scenario.valueOf(fields[0]).title(), fields[1], fields[2]));
        }
        return Section.of("profile").in(page, text.append('\n').toString());
    }
}
