/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.ratelimit.faults.Load.Sample;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.redis.SkewedClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One fault after the other, under load: each call is decided in time, by its policy; the fault is counted by its cause and
 * told once; nobody is let through beyond the bound; and limiting is back within five seconds.
 */
@Tag("faults")
class FaultTests {

    /** Twice the store's timeout and more: machines that test are busy. */
    private static final long LONGEST_CALL_MILLIS = 1_000;

    private static final int ENOUGH_WAITS = 5;

    /** Half of those who wait in vain are answered by then: within a fifth more than the store's timeout. */
    private static final Duration USUAL_WAIT = Guarded.TIMEOUT.multipliedBy(6).dividedBy(5);

    /** What half of the calls must stay below in an outage. */
    private static final long LONGEST_USUAL_MICROS = 5_000;

    private static final long LONGEST_RETURN_MILLIS = 5_000;
    private static final Duration BEFORE = Duration.ofMillis(700);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Set<String> NOT_COUNTED = Set.of("503", "uncounted");
    private static final Duration AFTER = Duration.ofMillis(1_500);

    private static final String ONLY = System.getProperty("faults.only", ".*");
    private static final List<Row> ROWS = new ArrayList<>();

    static Stream<Arguments> faultsAndClients() {
        return Stream.of(Fault.values())
                .filter(fault -> fault.name().matches(ONLY))
                .flatMap(fault -> Stream.of(Client.Kind.values()).map(client -> Arguments.of(fault, client)));
    }

    @ParameterizedTest
    @MethodSource("faultsAndClients")
    void isDecidedToldBoundedAndOver(Fault fault, Client.Kind kind) throws Exception {
        Row row = run(fault, kind);
        ROWS.add(row);
        assertThat(row.maxMillis()).as("longest call, ms").isLessThan(LONGEST_CALL_MILLIS);
        assertThat(row.backMillis()).as("ms until it was back").isLessThan(LONGEST_RETURN_MILLIS);
        assertThat(row.letThrough()).as("let through").isLessThanOrEqualTo(row.bound());
        assertThat(fault.isExplainedBy(Set.of(
                        row.causes().isEmpty() ? new String[0] : row.causes().split(" ", -1))))
                .as("causes %s", row.causes())
                .isTrue();
        assertThat(row.warnings() - row.recoveries())
                .as("warnings without a recovery")
                .isEqualTo(fault.isToldOnce() ? 1 : 0);
        if (fault.isOutage()) {
            assertThat(row.p50Micros()).as("p50 while kept away, us").isLessThan(LONGEST_USUAL_MICROS);
        }
    }

    private static Row run(Fault fault, Client.Kind kind) throws Exception {
        Instant started = Instant.now();
        try (Place place = fault == Fault.LOADING ? Place.openForLoading() : Place.open();
                Client client = Client.at(place.way().port(), kind);
                Guarded guarded = guarded(fault, place, client);
                Load load = new Load(guarded.store)) {
            pause(fault.isAtStart() ? Duration.ZERO : BEFORE);
            Instant inflicted = fault.isAtStart() ? started : Instant.now();
            long began = System.nanoTime();
            if (!fault.isAtStart()) {
                fault.inflict(place);
            }
            pause(fault.time());
            long ended = System.nanoTime();
            fault.cure(place);
            long cured = System.nanoTime();
            assertThat(guarded.outagesBegun(inflicted, Instant.now()))
                    .as("warnings while it lasted")
                    .isBetween(fault.isOutage() ? 1L : 0L, 1L);
            pause(AFTER.plusMillis(LONGEST_RETURN_MILLIS));
            long end = System.nanoTime();
            load.finish();
            assertThat(load.between(began, end)).allMatch(Sample::isByPolicy);
            List<Sample> meanwhile = load.between(began, ended);
            long[] took = load.between(began, end).stream()
                    .mapToLong(Sample::tookNanos)
                    .sorted()
                    .toArray();
            long[] waits = LongStream.of(took)
                    .filter(nanos -> nanos > Guarded.TIMEOUT.toNanos() / 2)
                    .toArray();
            if (waits.length >= ENOUGH_WAITS) {
                assertThat(Duration.ofNanos(waits[waits.length / 2]))
                        .as("median wait")
                        .isLessThan(USUAL_WAIT);
            }
            long[] during =
                    meanwhile.stream().mapToLong(Sample::tookNanos).sorted().toArray();
            return new Row(
                    fault.title(),
                    kind.name().toLowerCase(Locale.ROOT),
                    during.length,
                    Load.decisions(meanwhile),
                    during[during.length / 2] / 1_000,
                    during[during.length * 99 / 100] / 1_000,
                    took[took.length - 1] / 1_000_000,
                    String.join(" ", guarded.causes),
                    guarded.lines(Level.WARN),
                    guarded.lines(Level.INFO),
                    back(load, cured, end),
                    load.letThrough(),
                    bound(fault, guarded.causes));
        }
    }

    private static Guarded guarded(Fault fault, Place place, Client client) {
        if (fault.isOfClock()) {
            return Guarded.over(client.connections(), SkewedClock::store, Map.of());
        }
        if (!fault.isAtStart()) {
            return Guarded.over(client.connections());
        }
        Guarded.over(client.connections()).close(); // what is loaded the first time has time
        fault.inflict(place);
        return Guarded.starting(client.connections());
    }

    /** How long after the cure a while began in which Redis counted everything. */
    private static long back(Load load, long cured, long end) {
        long since = cured;
        for (Sample sample : load.between(cured, end)) {
            if (sample.atNanos() - since > QUIET.toNanos()) {
                break;
            }
            if (NOT_COUNTED.contains(sample.outcome())) {
                since = sample.atNanos() + sample.tookNanos();
            }
        }
        return (since - cured) / 1_000_000;
    }

    /** What Redis grants, what this instance grants alone, and again what Redis grants whenever it forgot. */
    private static long bound(Fault fault, Set<String> causes) {
        boolean alone = causes.stream().anyMatch(cause -> !cause.equals("clock"));
        return Load.PERMITS * (1 + (alone ? 1 : 0) + fault.timesForgotten());
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @AfterAll
    static void report() throws IOException {
        ReliabilityDoc.record(ROWS);
        ROWS.clear();
    }
}
