/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.benchmarks.InProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures everything that the page of performance tells, one after the other, each in a JVM of its own. */
public final class WholePage {

    private static final List<List<String>> RUNS = List.of(
            List.of(InProcess.class.getName(), "3"),
            List.of(InProcess.class.getName(), "7", "contended"),
            List.of(OnRedis.class.getName()),
            List.of(Scale.class.getName()),
            List.of(Profile.class.getName()));

    private WholePage() {}

    /** Takes no arguments; ends with the first run that fails. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        for (List<String> run : RUNS) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path")));
            command.addAll(run);
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IllegalStateException(run + " ended with " + status);
            }
        }
    }
}
