/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Denied;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitExceededExceptionTests {

    private static final String MESSAGE = "Limit 'orders' denied the call: PERMITS_SPENT";

    private final Denied denied = new Denied(
            Limit.named("orders")
                    .algorithm(Algorithm.TOKEN_BUCKET)
                    .permits(1)
                    .period(Duration.ofSeconds(1))
                    .build(),
            DenialReason.PERMITS_SPENT,
            0,
            1,
            1);

    @Test
    void tellsTheLimitAndWhy() {
        RateLimitExceededException exceeded = new RateLimitExceededException(denied);
        assertThat(exceeded).hasMessage(MESSAGE).hasNoCause();
        assertThat(exceeded.getStackTrace()).isEmpty();
        assertThat(exceeded.denied()).isSameAs(denied);
    }

    /** The decision stays behind, its message does not. */
    @Test
    void tellsItElsewhereToo() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new RateLimitExceededException(denied));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat((Throwable) in.readObject()).hasMessage(MESSAGE);
        }
    }
}
