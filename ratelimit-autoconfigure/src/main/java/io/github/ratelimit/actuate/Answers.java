/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.tuning.UnknownPlanException;
import java.util.Map;
import java.util.concurrent.CompletionException;
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
        } catch (CompletionException failed) {
            log.warn("The actuator could not be served", failed);
            return error(503, "The store cannot answer");
        } catch (RuntimeException failed) {
            log.warn("The actuator could not be served", failed);
            return error(503, String.valueOf(failed.getMessage()));
        }
    }

    static WebEndpointResponse<Map<String, Object>> error(int status, String reason) {
        return new WebEndpointResponse<>(Map.of("status", status, "reason", reason), status);
    }
}
