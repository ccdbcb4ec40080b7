/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.faults.Book.Balance;
import io.github.ratelimit.redis.Client;
import io.github.ratelimit.testkit.Eventually;
import io.github.ratelimit.testkit.Stages;
import io.github.ratelimit.testredis.RedisReplyException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults at random, one after the other, while callers ask as fast as they can. Afterwards the books are balanced: what Redis
 * says was used is at least what callers were granted (nothing was granted twice), nothing is left that lives for ever, and
 * nothing has grown.
 */
class ChaosTests {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosTests.class);
    private static final Duration SETTLING = Duration.ofSeconds(40);

    /** What Redis does not forget its counters by. */
    private static final List<Fault> FAULTS = List.copyOf(EnumSet.range(Fault.REFUSED, Fault.FROZEN));

    private final AtomicBoolean over = new AtomicBoolean();

    @Tag("faults")
    @ParameterizedTest
    @EnumSource
    void halfAMinute(Client.Kind kind) throws Exception {
        chaos(kind, Duration.ofSeconds(30));
    }

    @Tag("soak")
    @ParameterizedTest
    @EnumSource
    void tenMinutes(Client.Kind kind) throws Exception {
        chaos(kind, Duration.ofMinutes(Long.getLong("soak.minutes", 10)));
    }

    private void chaos(Client.Kind kind, Duration time) throws Exception {
        long seed = Long.getLong("chaos.seed", System.nanoTime());
        try (Place place = Place.open();
                Client client = Client.at(place.way().port(), kind);
                Guarded guarded = Guarded.over(client.connections())) {
            List<Book> books = List.of(
                    new WindowBook("spread", 1_000_000, 50, 4, 1),
                    new WindowBook("contended", 1_000_000, 1, 4, 8),
                    new WindowBook("spent", 100, 1, 1, 4),
                    new PacedBook(guarded.redis, place.server()));
            List<Thread> callers = callers(guarded, books);
            Thread.sleep(2_000);
            Footprint before = Footprint.now(place);
            int faults = rage(place, new SplittableRandom(seed), time);
            over.set(true);
            for (Thread caller : callers) {
                caller.join(Duration.ofSeconds(10).toMillis());
                assertThat(caller.isAlive()).as("%s was answered", caller).isFalse();
            }
            balance(place, guarded, books, seed, faults);
            Eventually.until(
                    "nothing has grown: " + before,
                    SETTLING,
                    () -> Footprint.now(place).isNoMoreThan(before));
        }
    }

    private static int rage(Place place, SplittableRandom random, Duration time) throws InterruptedException {
        int faults = 0;
        for (long end = System.nanoTime() + time.toNanos(); end - System.nanoTime() > 0; faults++) {
            Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
            fault.inflict(place);
            Thread.sleep(random.nextInt(100, 2_000));
            cure(fault, place);
            Thread.sleep(random.nextInt(100, 2_000));
        }
        return faults;
    }

    private static void cure(Fault fault, Place place) {
        try {
            fault.cure(place);
        } catch (RedisReplyException nothingToCure) {
            place.way().heal();
        }
    }

    private List<Thread> callers(Guarded guarded, List<Book> books) {
        List<Thread> callers = new ArrayList<>();
        for (Book book : books) {
            for (int i = 0; i < book.callers(); i++) {
                SplittableRandom random = new SplittableRandom(i);
                Thread caller = new Thread(
                        () -> {
                            while (!over.get()) {
                                book.call(guarded.store, random);
                            }
                        },
                        book + "-" + i);
                callers.add(caller);
                caller.start();
            }
        }
        return callers;
    }

    private static void balance(Place place, Guarded guarded, List<Book> books, long seed, int faults) {
        Eventually.until("back", SETTLING, () -> isCounted(guarded));
        for (Book book : books) {
            Balance balance = book.balance(guarded.redis);
            LOG.info("Chaos: seed {}, {} faults, {}: {}", seed, faults, book, balance);
            assertThat(balance.granted()).as("%s, seed %s", book, seed).isPositive();
            assertThat(balance.lost())
                    .as("%s, seed %s: lost with a connection, at most what was under way", book, seed)
                    .isLessThanOrEqualTo(100L * faults);
        }
        for (Object name : (List<?>) place.server().command("KEYS", "*")) {
            assertThat((Long) place.server().command("PTTL", String.valueOf(name)))
                    .as("%s", name)
                    .isPositive();
        }
    }

    private static boolean isCounted(Guarded guarded) {
        try {
            return Stages.await(guarded.redis.peek(List.of(Charge.of(Load.LIMITS.get(0), Load.KEY, 0))))
                    .passes();
        } catch (RateLimitStoreException notYet) {
            return false;
        }
    }

    /** What would grow if something leaked. */
    private record Footprint(int threads, long descriptors, long connections, long heapMegabytes) {

        private static final int SLACK = 40;

        static Footprint now(Place place) {
            System.gc();
            var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            String clients = String.valueOf(place.server().command("CLIENT", "LIST"));
            return new Footprint(
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    system.getOpenFileDescriptorCount(),
                    clients.lines().count(),
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20);
        }

        boolean isNoMoreThan(Footprint before) {
            return threads <= before.threads + SLACK
                    && descriptors <= before.descriptors + SLACK
                    && connections <= before.connections + SLACK / 4
                    && heapMegabytes <= before.heapMegabytes + SLACK;
        }
    }
}
