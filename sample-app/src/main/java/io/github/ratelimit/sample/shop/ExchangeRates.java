/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import static io.github.ratelimit.Algorithm.LEAKY_BUCKET;

import io.github.ratelimit.annotation.RateLimited;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;

/** A third party that wants its calls evenly spaced: they queue here, for three seconds at most. */
@HttpExchange("/third-party")
interface ExchangeRates {

    @RateLimited(name = "exchange-rates", algorithm = LEAKY_BUCKET, maxWait = "3s")
    @GetExchange("/rates/{currency}")
    String rate(@PathVariable String currency);
}
