/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeTests {

    @ParameterizedTest
    @CsvSource({
        // dividend, divisor, rounded down, rounded up
        "7, 1, 7, 7",
        "6, 3, 2, 2",
        "7, 3, 2, 3",
        "-7, 3, -3, -2",
        "2147483647, 2147483647, 1, 1",
        "2147483648, 3, 715827882, 715827883",
        "5, 2147483648, 0, 1",
        "4294967296, 4294967296, 1, 1",
        // nothing but zeros in the lower half and above it
        "25769803776, 8589934592, 3, 3",
        "0, 8589934592, 0, 0",
        "9223372036854775807, 2, 4611686018427387903, 4611686018427387904"
    })
    void dividesWhateverTheSize(long dividend, long divisor, long down, long up) {
        assertThat(Whole.floor(dividend, divisor)).isEqualTo(down);
        assertThat(Whole.ceil(dividend, divisor)).isEqualTo(up);
    }
}
