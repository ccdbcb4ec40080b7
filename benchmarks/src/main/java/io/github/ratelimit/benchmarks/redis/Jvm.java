/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Another JVM of the same classes, which is told line by line what to do, and answers with lines of its own. */
final class Jvm implements AutoCloseable {

    /** What an answer begins with; anything else that is printed is no answer. */
    private static final String ANSWER = "answer: ";

    private static final long LONGEST_END_SECONDS = 20;

    private final Process process;
    private final PrintStream in;
    private final BufferedReader out;

    private Jvm(Process process) {
        this.process = process;
        this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a program, which ends when nobody can tell it anything any more. */
    static Jvm start(Class<?> program, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        return new Jvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    void tell(String line) {
        in.println(line);
    }

    /** Its next answer. */
    String answer() throws IOException {
        String line = "";
        while (!line.startsWith(ANSWER)) {
            line = Objects.requireNonNull(out.readLine(), "a JVM ended early");
        }
        return line.substring(ANSWER.length());
    }

    /** Answers, from within such a JVM. */
    static void answer(String line) {
        System.out.println(ANSWER + line);
    }

    @Override
    public void close() {
        in.close();
        try {
            if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
        }
    }
}
