/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Asks the third party, and plays it. */
@RestController
class RateController {

    private final ExchangeRates rates;

    RateController(ExchangeRates rates) {
        this.rates = rates;
    }

    @GetMapping("/rates/{currency}")
    String rate(@PathVariable String currency) {
        return rates.rate(currency);
    }

    @GetMapping("/third-party/rates/{currency}")
    String played(@PathVariable String currency) {
        return "1 " + currency + " is 1.08 USD";
    }
}
