/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/** The beans of a type, as Spring's dispatchers look for them: those of the contexts above as well, in the order in which they are asked. */
final class BeansInOrder {

    private BeansInOrder() {}

    static <T> List<T> of(Class<T> type, ListableBeanFactory beans) {
        List<T> all = new ArrayList<>(BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, true, false)
                .values());
        AnnotationAwareOrderComparator.sort(all);
        return all;
    }
}
