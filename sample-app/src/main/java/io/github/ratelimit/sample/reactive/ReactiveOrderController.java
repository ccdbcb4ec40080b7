/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.reactive;

import static io.github.ratelimit.Algorithm.TOKEN_BUCKET;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The twin of {@code OrderController}, under the same name, so that instances of both stacks share one count. */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveOrderController {

    @RateLimited(name = "order-controller-create", algorithm = TOKEN_BUCKET, key = "#tenantId")
    @PostMapping("/tenants/{tenantId}/orders")
    Mono<String> create(@PathVariable String tenantId) {
        return Mono.just("ordered for " + tenantId);
    }
}
