/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code docs/performance.md} tells what was measured, and nothing else. */
class OnRedisPageTests {

    @Test
    void theSectionIsMadeOfTheMeasurements() throws IOException {
        String page = Files.readString(OnRedis.PAGE);

        assertThat(page).isEqualTo(OnRedisPage.with(OnRedisResults.read(OnRedis.RESULTS), page));
    }

    @Test
    void theHottestFramesAreThoseOfTheProfile() throws IOException {
        String page = Files.readString(OnRedis.PAGE);

        assertThat(page).isEqualTo(Profile.with(Files.readAllLines(Profile.RESULTS), page));
    }

    /** Before anybody has measured there is nothing to be told. */
    @Test
    void theTablesOfScaleAreMadeOfTheMeasurements() throws IOException {
        String page = Files.readString(OnRedis.PAGE);

        assertThat(page)
                .isEqualTo(Scale.with(ScaleResults.read(Scale.RESULTS), OnRedisResults.read(OnRedis.RESULTS), page));
    }

    @Test
    void whatRedisRanIsReadAsItWasWritten() {
        Work work = new Work(Map.of("evalsha", new Work.Each(1, 2.5), "get", new Work.Each(0.25, 0.125)));

        assertThat(Work.parse(work.text())).isEqualTo(work);
        assertThat(work.times()).isEqualTo(1.25);
        assertThat(Work.parse("").commands()).isEmpty();
    }

    @Test
    void everyTargetHasWhatStandsBeforeIt() {
        List<String> unknown = Target.all().stream()
                .map(Target::what)
                .filter(what -> Obstacle.of(what).text().isBlank())
                .toList();

        assertThat(unknown).isEmpty();
        assertThat(Obstacle.of("one key, allowed, 2 threads")).isEqualTo(Obstacle.FEW_CALLERS);
        assertThat(Obstacle.of("one key, allowed, 32 threads")).isEqualTo(Obstacle.ONE_KEY);
        assertThat(Obstacle.of("10,000 keys, allowed, 32 threads, Redis CPU")).isEqualTo(Obstacle.REDIS_TIME);
    }
}
