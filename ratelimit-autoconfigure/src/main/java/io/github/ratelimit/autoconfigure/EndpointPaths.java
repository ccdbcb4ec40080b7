/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

/** The paths of the actuator's endpoints, one by one. To be loaded only where the actuator's classes are. */
final class EndpointPaths {

    private EndpointPaths() {}

    /** Those that are exposed, each behind the actuator's own path. To be asked late: it makes the beans that find endpoints. */
    static List<String> of(BeanFactory beans) {
        return beans.getBeanProvider(PathMappedEndpoints.class).stream()
                .flatMap(endpoints -> endpoints.getAllPaths().stream())
                .toList();
    }
}
