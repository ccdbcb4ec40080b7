/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import io.github.ratelimit.testredis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample, running in a JVM of its own. */
final class Instance implements AutoCloseable {

    /** What a server says when it listens. */
    private static final Pattern LISTENING = Pattern.compile("(?:Tomcat|Netty) started on port (\\d+)");

    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Process process;
    private final int port;
    private final Queue<String> log;

    private Instance(Process process, int port, Queue<String> log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** An instance that counts on this Redis. */
    static Instance start(RedisServer redis, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--ratelimit.store=redis",
                "--spring.data.redis.host=" + redis.host(),
                "--spring.data.redis.port=" + redis.port()));
        arguments.addAll(List.of(more));
        return start(ofClassPath(), arguments.toArray(String[]::new));
    }

    /** The words behind {@code java} that start the sample; options come before them. */
    static List<String> ofClassPath(String... options) {
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), SampleApplication.class.getName()));
        return words;
    }

    /** An instance that is started by these words behind {@code java}. */
    static Instance start(List<String> java, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(java);
        command.add("--server.port=0");
        command.add(Sample.IN_ITS_OWN_TIME);
        command.addAll(Sample.HOURLY);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Queue<String> log = new ConcurrentLinkedQueue<>();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            log.add(line);
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                drain(output, log);
                return new Instance(process, Integer.parseInt(listening.group(1)), log);
            }
        }
        throw new IllegalStateException("The sample did not start:\n" + String.join("\n", log));
    }

    /** An instance whose output nobody reads would stop when the pipe is full. */
    private static void drain(BufferedReader output, Queue<String> log) {
        Thread reader = new Thread(() -> output.lines().forEach(line -> log.add(line)));
        reader.setUncaughtExceptionHandler((thread, streamClosedAtTheEnd) -> {});
        reader.setDaemon(true);
        reader.start();
    }

    /** What it wrote until now, but not less than until it listened. */
    String log() {
        return String.join("\n", log);
    }

    /** Where it listens. */
    int port() {
        return port;
    }

    Http http() {
        return new Http(port);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}
