/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.util.StringUtils;

/** More than one bean wants to say who is on which plan. */
final class SeveralPlanResolversException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    SeveralPlanResolversException(NoUniqueBeanDefinitionException several) {
        super(
                "The application has " + several.getNumberOfBeansFound() + " PlanResolver beans, none of them primary,"
                        + " so which one says who is on which plan would be chance: "
                        + StringUtils.collectionToDelimitedString(several.getBeanNamesFound(), ", "),
                several);
    }
}
