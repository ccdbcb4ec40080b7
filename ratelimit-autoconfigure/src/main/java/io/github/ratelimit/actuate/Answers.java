/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.UnknownPlanException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** What the endpoint answers: what was asked for, or a status with the reason. */
final class Answers {

    private static final Logger log = LoggerFactory.getLogger(RateLimitsEndpoint.class);

    private Answers() {}

    static WebEndpointResponse<Map<String, Object>> of(Supplier<Map<String, Object>> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (UnknownLimitException | UnknownPlanException unknown) {
            return error(404, String.valueOf(unknown.getMessage()));
        } catch (InvalidLimitException invalid) {
            return error(
                    400,
                    "%s = %s %s. %s"
                            .formatted(invalid.attribute(), invalid.value(), invalid.problem(), invalid.remedy()));
        } catch (IllegalArgumentException bad) {
            return error(400, String.valueOf(bad.getMessage()));
        } catch (RuntimeException failed) {
            log(failed);
            String reason = failed instanceof CompletionException ? "The store cannot answer" : failed.getMessage();
            return error(503, String.valueOf(reason));
        }
    }

    /** Of a store that is away one warning has been told already, and who watches asks again and again. */
    private static void log(RuntimeException failed) {
        Throwable actual =
                failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        if (actual instanceof RateLimitStoreException || actual instanceof TimeoutException) {
            log.debug("The store cannot answer the actuator", failed);
        } else {
            log.warn("The actuator could not be served", failed);
        }
    }

    static WebEndpointResponse<Map<String, Object>> error(int status, String reason) {
        return new WebEndpointResponse<>(Map.of("status", status, "reason", reason), status);
    }
}
