/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A contender in a JVM of its own, with a Redis of its own, which knows all keys of the scenario. What a compiler makes of one of
 * them so depends on none of the others.
 */
final class Stand implements AutoCloseable {

    private static final String READY = "ready";
    private static final String UNANSWERED = "unanswered";
    private static final long WARM_UP_MILLIS = 150;

    private final Contenders contender;
    private final Scenario scenario;
    private final Jvm jvm;

    /** Begins to build it up; {@link #await} says when it is there. */
    Stand(Contenders contender, Scenario scenario) throws IOException {
        this.contender = contender;
        this.scenario = scenario;
        this.jvm = Jvm.start(Stand.class, contender, scenario);
    }

    void await() throws IOException {
        String answer = jvm.answer();
        if (!answer.equals(READY)) {
            throw new IllegalStateException(contender.title() + ": " + answer);
        }
    }

    /** Few callers tell the time of a trip, which one scenario shows. */
    boolean isFor(Callers callers) {
        return callers.exist() && (!callers.areFew() || scenario == Scenario.HOT_ALLOWED);
    }

    /** Nothing, where there is no such way to call, or not all calls were answered. */
    Optional<Measured> measure(Callers callers, int round, long millis) throws IOException {
        jvm.tell(callers + " " + round + " " + millis);
        String answer = jvm.answer();
        System.out.println(answer.equals(UNANSWERED) ? contender.title() + ": " + answer : answer);
        return answer.equals(UNANSWERED) ? Optional.empty() : Optional.of(Measured.parse(answer));
    }

    @Override
    public void close() {
        jvm.close();
    }

    /** Contender and scenario: measures as it is told, line by line. */
    public static void main(String[] arguments) throws Exception {
        Scenario scenario = Scenario.valueOf(arguments[1]);
        try (RedisServer redis = RedisServer.start();
                ServerWork work = new ServerWork(redis);
                Contender contender = Contenders.valueOf(arguments[0]).on(redis, scenario);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = 0; i < scenario.keys(); i++) {
                contender.decide(scenario.key(i));
            }
            Jvm.answer(READY);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                List<String> told = List.of(line.split(" ", -1));
                Callers callers = Callers.valueOf(told.get(0));
                Jvm.answer(
                        callers.isAsync() && !contender.isAsync()
                                ? UNANSWERED
                                : measured(
                                        new Load(contender, scenario, callers),
                                        Integer.parseInt(told.get(1)),
                                        work,
                                        Long.parseLong(told.get(2))));
            }
        }
        System.exit(0);
    }

    private static String measured(Load load, int round, ServerWork work, long millis) throws InterruptedException {
        try {
            return load.run(round, work, WARM_UP_MILLIS, millis).line();
        } catch (TimeoutException | ExecutionException unanswered) {
            return UNANSWERED;
        }
    }
}
