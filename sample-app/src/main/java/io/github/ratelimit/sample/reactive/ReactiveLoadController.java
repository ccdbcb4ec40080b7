/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.reactive;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The twin of {@code LoadController}. */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveLoadController {

    @RateLimited("load")
    @GetMapping("/load")
    Mono<String> load() {
        return Mono.just("ok");
    }
}
