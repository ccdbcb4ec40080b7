/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import java.net.URI;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.util.UriComponentsBuilder;

/** The client of the third party, whose part is played by the sample itself, at whatever port it listens. */
@Configuration(proxyBeanMethods = false)
class ThirdParty {

    @Bean
    ExchangeRates exchangeRates(Environment environment) {
        SimpleClientHttpRequestFactory http = new SimpleClientHttpRequestFactory();
        http.setReadTimeout(Duration.ofSeconds(5));
        RestClient client = RestClient.builder()
                .baseUrl("http://localhost")
                .requestFactory((uri, method) -> http.createRequest(toOurselves(uri, environment), method))
                .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(ExchangeRates.class);
    }

    private static URI toOurselves(URI uri, Environment environment) {
        return UriComponentsBuilder.fromUri(uri)
                .port(environment.getRequiredProperty("local.server.port"))
                .build(true)
                .toUri();
    }
}
