/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.autoconfigure.HttpProperties.Rule;
import io.github.ratelimit.expression.CallExpressions;
import io.github.ratelimit.expression.CallerSource;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.LimitSettings;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.Tuning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Path rules and the limits they name. */
class HttpRulesTests {

    private static final LimitSettings STATED =
            LimitSettings.of(Algorithm.TOKEN_BUCKET, new Numbers(10L, Duration.ofMinutes(1), null), null, null);

    private final LimitCatalog catalog =
            new LimitCatalog(Tuning.of(Map.of("orders", STATED, "other", STATED)), (limit, key) -> null);

    @Test
    void keepTheLimitsTheyName() {
        catalog.check();
        rules(new Rule("/api/**", Set.of(), List.of("orders"), null, null)).afterSingletonsInstantiated();

        catalog.refresh(Tuning.of(Map.of("orders", STATED)));
        assertThat(catalog.isDefined("other")).isFalse();
        assertThatExceptionOfType(InvalidLimitException.class)
                .isThrownBy(() -> catalog.refresh(Tuning.of(Map.of("other", STATED))))
                .withMessageContaining("'orders' is defined nowhere")
                .withMessageContaining("Stated in ratelimit.http.rules[0].limits");
        assertThat(catalog.isDefined("orders")).isTrue();
    }

    private HttpRules rules(Rule rule) {
        CallExpressions expressions =
                new CallExpressions(new DefaultListableBeanFactory(), CallerSource.NONE, text -> text);
        return new HttpRules(List.of(rule), catalog, () -> expressions, () -> true, List::of);
    }
}
