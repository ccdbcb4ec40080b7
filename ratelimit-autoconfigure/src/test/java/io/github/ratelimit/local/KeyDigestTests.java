/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyDigestTests {

    @Test
    void keepsLittleOfALongKey() {
        String longest = "x".repeat(200);

        assertThat(KeyDigest.kept(longest)).isEqualTo(longest);
        assertThat(KeyDigest.kept(longest + "y")).hasSizeLessThan(100);
        assertThat(KeyDigest.kept("x".repeat(100_000))).hasSizeLessThan(100);
    }

    @Test
    void tellsLongKeysApartFromEachOtherAndFromShortOnes() {
        String stem = "x".repeat(100_000);
        String kept = KeyDigest.kept(stem);

        assertThat(KeyDigest.kept("x".repeat(100_000))).isEqualTo(kept);
        assertThat(Stream.of(
                                stem,
                                stem + "y",
                                "y" + stem,
                                stem + "\uD800",
                                stem + "\uD801",
                                stem + "?",
                                stem + "a",
                                stem + "\u0161",
                                kept)
                        .map(KeyDigest::kept))
                .doesNotHaveDuplicates();
    }
}
