/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import static io.github.ratelimit.Algorithm.SLIDING_WINDOW_LOG;
import static io.github.ratelimit.FailurePolicy.DENY;

import io.github.ratelimit.RateLimitStoreException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Three guesses a minute, then half a minute of penalty. The right password forgets the wrong ones. */
@RestController
class LoginController {

    private static final Logger LOG = LoggerFactory.getLogger(LoginController.class);

    private final RateLimiter limiter;

    LoginController(RateLimiter limiter) {
        this.limiter = limiter;
    }

    @RateLimited(
            name = "login",
            algorithm = SLIDING_WINDOW_LOG,
            permits = 3,
            period = "1m",
            penalty = "30s",
            key = "#user",
            onStoreFailure = DENY)
    @PostMapping("/login/{user}")
    ResponseEntity<String> login(@PathVariable String user, @RequestParam(defaultValue = "") String password) {
        if (!password.equals("secret")) {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).body("wrong password");
        }
        forgetWrongGuesses(user);
        return ResponseEntity.ok("welcome " + user);
    }

    private void forgetWrongGuesses(String user) {
        try {
            limiter.reset("login", user);
        } catch (RateLimitStoreException redisIsAway) {
            LOG.info("The wrong guesses of a user are remembered: {}", redisIsAway.getMessage());
        }
    }
}
