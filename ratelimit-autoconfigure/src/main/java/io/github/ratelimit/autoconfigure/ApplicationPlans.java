/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.PlanResolver;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;

/** The application's plan resolver, looked up when first needed. That there is no choice to make is checked at start. */
final class ApplicationPlans implements SmartInitializingSingleton {

    private final ObjectProvider<PlanResolver> resolvers;
    private final SingletonSupplier<Optional<PlanResolver>> chosen;
    private final boolean enabled;

    ApplicationPlans(ObjectProvider<PlanResolver> resolvers, boolean enabled) {
        this.resolvers = resolvers;
        this.enabled = enabled;
        this.chosen = SingletonSupplier.of(() -> Optional.ofNullable(resolvers.getIfAvailable()));
    }

    /** The resolver; {@code null}: the application has none. */
    @Nullable
    PlanResolver resolver() {
        return chosen.obtain().orElse(null);
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (enabled) {
            check();
        }
    }

    private void check() {
        try {
            resolvers.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new SeveralPlanResolversException(several);
        }
    }
}
