/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import io.github.ratelimit.RateLimitExceededException;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Says in HTTP what a denial means: 429, and when to come again. */
@RestControllerAdvice
class DenialAdvice {

    @ExceptionHandler
    ResponseEntity<String> tooManyRequests(RateLimitExceededException denial) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS);
        Duration retryAfter = denial.denied().retryAfter();
        if (retryAfter != null) {
            answer.header(
                    HttpHeaders.RETRY_AFTER,
                    Long.toString(retryAfter.plusMillis(999).toSeconds()));
        }
        return answer.body("limit '" + denial.denied().limit() + "' is spent\n");
    }
}
