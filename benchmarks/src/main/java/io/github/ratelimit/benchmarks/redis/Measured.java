/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import java.util.List;
import java.util.Locale;

/**
 * One contender in one scenario of one round.
 *
 * @param perSecond decisions a second
 * @param p50Micros how long half of the calls took at most
 * @param p99Micros how long 99 of 100 took at most
 * @param redisMicros processor time of Redis for each decision
 * @param jvmMicros processor time of this JVM for each decision
 * @param bytes memory allocated for each decision
 * @param commands commands that Redis ran for each decision, those of scripts included
 * @param work which they were, and how long each took
 */
record Measured(
        int round,
        Scenario scenario,
        Callers callers,
        String contender,
        double perSecond,
        double p50Micros,
        double p99Micros,
        double redisMicros,
        double jvmMicros,
        double bytes,
        double commands,
        Work work) {

    static final String HEADER =
            "round,scenario,callers,contender,per_second,p50_us,p99_us,redis_us,jvm_us,bytes,commands,work";

    static Measured parse(String line) {
        List<String> fields = List.of(line.split(",", -1));
        return new Measured(
                Integer.parseInt(fields.get(0)),
                Scenario.valueOf(fields.get(1)),
                Callers.valueOf(fields.get(2)),
                fields.get(3),
                Double.parseDouble(fields.get(4)),
                Double.parseDouble(fields.get(5)),
                Double.parseDouble(fields.get(6)),
                Double.parseDouble(fields.get(7)),
                Double.parseDouble(fields.get(8)),
                Double.parseDouble(fields.get(9)),
                Double.parseDouble(fields.get(10)),
                Work.parse(fields.get(11)));
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%d,%s,%s,%s,%.0f,%.1f,%.1f,%.3f,%.3f,%.0f,%.3f,%s",
                round,
                scenario,
                callers,
                contender,
                perSecond,
                p50Micros,
                p99Micros,
                redisMicros,
                jvmMicros,
                bytes,
                commands,
                work.text());
    }
}
