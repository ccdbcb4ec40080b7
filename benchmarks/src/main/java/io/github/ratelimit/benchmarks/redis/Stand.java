/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import io.github.ratelimit.testredis.RedisServer;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/** A contender with a Redis of its own, which knows all keys of the scenario. */
final class Stand implements AutoCloseable {

    private static final long WARM_UP_MILLIS = 150;

    private final Scenario scenario;
    private final RedisServer redis = RedisServer.start();
    private final ServerWork work = new ServerWork(redis);
    private final Contender contender;

    Stand(BiFunction<RedisServer, Scenario, Contender> contender, Scenario scenario) {
        this.scenario = scenario;
        this.contender = contender.apply(redis, scenario);
        for (int i = 0; i < scenario.keys(); i++) {
            this.contender.decide(scenario.key(i));
        }
    }

    String name() {
        return contender.name();
    }

    /** Few callers tell the time of a trip, which one scenario shows. */
    boolean isFor(Callers callers) {
        boolean few = callers == Callers.TWO || callers == Callers.FOUR;
        return callers.exist()
                && (!few || scenario == Scenario.HOT_ALLOWED)
                && (!callers.isAsync() || contender.isAsync());
    }

    /** Nothing, where not all calls were answered. */
    Optional<Measured> measure(Callers callers, int round, long millis) throws InterruptedException {
        try {
            Measured measured = new Load(contender, scenario, callers).run(round, work, WARM_UP_MILLIS, millis);
            System.out.println(measured.line());
            return Optional.of(measured);
        } catch (TimeoutException | ExecutionException unanswered) {
            System.out.println(name() + " did not answer all calls: left out of this round");
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        contender.close();
        work.close();
        redis.close();
    }
}
