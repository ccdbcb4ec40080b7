/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantsTests {

    @Test
    void searchesByInstantAndByTotal() {
        Grants grants = new Grants();
        grants.add(10, 1);
        grants.add(20, 3);
        grants.add(30, 1);

        assertThat(List.of(grants.firstAfter(9), grants.firstAfter(10), grants.firstAfter(19), grants.firstAfter(30)))
                .containsExactly(0, 1, 1, 3);
        assertThat(List.of(
                        grants.firstReaching(1),
                        grants.firstReaching(2),
                        grants.firstReaching(4),
                        grants.firstReaching(5)))
                .containsExactly(0, 1, 1, 2);
        assertThat(grants.totalBefore(0)).isZero();
        assertThat(grants.totalBefore(3)).isEqualTo(5);
    }

    @Test
    void oneInstantIsOneEntry() {
        Grants grants = new Grants();
        for (int i = 0; i < 100; i++) {
            grants.add(10, 2);
        }

        assertThat(grants.size()).isEqualTo(1);
        assertThat(grants.totalBefore(1)).isEqualTo(200);
    }

    @Test
    void cutsAnEntryOutOfAFullRing() {
        Grants grants = new Grants();
        for (long i = 1; i <= 4; i++) {
            grants.add(10 * i, i);
        }

        grants.cut(2, 1);
        assertThat(entries(grants)).containsExactly("10: 1", "20: 2", "30: 2", "40: 4");
        grants.cut(1, 2);
        assertThat(entries(grants)).containsExactly("10: 1", "30: 2", "40: 4");
    }

    private static List<String> entries(Grants grants) {
        return IntStream.range(0, grants.size())
                .mapToObj(i -> grants.instant(i) + ": " + (grants.totalBefore(i + 1) - grants.totalBefore(i)))
                .toList();
    }

    /** Against a plain list, with every operation in any order, around the ring many times. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isAListOfGrants(long seed) {
        Random random = new Random(seed);
        Grants grants = new Grants();
        List<long[]> list = new ArrayList<>();
        long instant = 0;
        for (int step = 0; step < 20_000; step++) {
            int what = random.nextInt(10);
            if (what < 6) {
                instant += random.nextInt(3);
                long cost = 1L + random.nextInt(4);
                grants.add(instant, cost);
                list.add(new long[] {instant, cost});
            } else if (what < 8 && grants.size() > 0) {
                int count = random.nextInt(Math.min(grants.size(), 6) + 1);
                long last = count == 0 ? Long.MIN_VALUE : grants.instant(count - 1);
                grants.dropFirst(count);
                list.removeIf(grant -> grant[0] <= last);
            } else if (what == 8) {
                long cut = Math.min(random.nextInt(6), sum(list));
                grants.cutTo(grants.totalBefore(grants.size()) - cut);
                cut(list, cut);
            } else if (what == 9 && grants.size() > 0) {
                int index = random.nextInt(grants.size());
                long had = grants.totalBefore(index + 1) - grants.totalBefore(index);
                long cut = 1L + random.nextInt((int) had);
                cut(list, grants.instant(index), cut);
                grants.cut(index, cut);
            }
            assertSame(grants, list, random);
        }
    }

    private static void cut(List<long[]> list, long permits) {
        long left = permits;
        while (left > 0) {
            long[] newest = list.get(list.size() - 1);
            long part = Math.min(left, newest[1]);
            newest[1] -= part;
            left -= part;
            if (newest[1] == 0) {
                list.remove(list.size() - 1);
            }
        }
    }

    private static void cut(List<long[]> list, long instant, long permits) {
        long left = permits;
        for (long[] grant : list) {
            long part = grant[0] == instant ? Math.min(left, grant[1]) : 0;
            grant[1] -= part;
            left -= part;
        }
        list.removeIf(grant -> grant[1] == 0);
    }

    private static void assertSame(Grants grants, List<long[]> list, Random random) {
        assertThat(grants.size())
                .isEqualTo(list.stream().map(grant -> grant[0]).distinct().count());
        long all = grants.totalBefore(grants.size()) - grants.totalBefore(0);
        assertThat(all).isEqualTo(sum(list));
        if (list.isEmpty()) {
            return;
        }
        assertThat(grants.instant(0)).isEqualTo(list.get(0)[0]);
        assertThat(grants.instant(grants.size() - 1)).isEqualTo(list.get(list.size() - 1)[0]);
        long instant = list.get(random.nextInt(list.size()))[0] - random.nextInt(2);
        long later = sum(list.stream().filter(grant -> grant[0] > instant).toList());
        assertThat(grants.totalBefore(grants.size()) - grants.totalBefore(grants.firstAfter(instant)))
                .isEqualTo(later);
    }

    private static long sum(List<long[]> list) {
        return list.stream().mapToLong(grant -> grant[1]).sum();
    }
}
