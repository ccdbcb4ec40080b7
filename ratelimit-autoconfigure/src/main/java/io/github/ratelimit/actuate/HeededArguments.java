/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Refuses requests of the endpoint {@code ratelimits} that state what would not be heeded, and such as lead elsewhere than
 * their path.
 *
 * <p>Spring Boot puts path, body and query into one map of arguments, where the last replaces the first, and passes over
 * what no operation asks for. So the path is asked for as a whole: it comes as an array, which neither a body nor a query
 * can be.
 */
public final class HeededArguments implements OperationInvokerAdvisor {

    /** The name of the parameter that takes the path. */
    static final String PATH = "path";

    private static final EndpointId ENDPOINT = EndpointId.of(RateLimitsEndpoint.ID);

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        return endpoint.equals(ENDPOINT) ? context -> invoke(type, context, invoker) : invoker;
    }

    private static @Nullable Object invoke(OperationType type, InvocationContext context, OperationInvoker invoker) {
        String mistake = mistake(type, context.getArguments());
        return mistake == null ? invoker.invoke(context) : Answers.error(400, mistake);
    }

    private static @Nullable String mistake(OperationType type, Map<String, ? extends @Nullable Object> stated) {
        LimitPath path = LimitPath.of();
        if (stated.get(PATH) instanceof String[] segments) {
            path = LimitPath.of(segments);
        } else if (stated.containsKey(PATH)) {
            return "path is nothing that is heeded here. The address says which limit is meant.";
        }
        Request request = Request.of(type, path.part());
        return request == null ? null : request.mistake(stated); // the endpoint says itself that there is no such part
    }

    /** What can be asked for, and what each heeds beside its path. */
    private enum Request {
        LOOK(OperationType.READ, "", "is nothing beside the path"),
        LOOK_AT_KEY(OperationType.READ, LimitPath.KEY, "is key, in the query", "key"),
        FORGET_KEY(OperationType.DELETE, LimitPath.KEY, "is key, in the query", "key"),
        OVERRIDE(
                OperationType.WRITE,
                LimitPath.OVERRIDE,
                "are permits, period, burst and plan, in the body",
                "permits",
                "period",
                "burst",
                "plan"),
        REMOVE_OVERRIDE(OperationType.DELETE, LimitPath.OVERRIDE, "is plan, in the query", "plan");

        private final OperationType type;
        private final String part;
        private final String accepted;

        @SuppressWarnings("ImmutableEnumChecker") // comes from List.of
        private final List<String> names;

        Request(OperationType type, String part, String accepted, String... names) {
            this.type = type;
            this.part = part;
            this.accepted = accepted;
            this.names = List.of(names);
        }

        static @Nullable Request of(OperationType type, String part) {
            for (Request request : values()) {
                if (request.type == type && request.part.equals(part)) {
                    return request;
                }
            }
            return null;
        }

        @Nullable
        String mistake(Map<String, ? extends @Nullable Object> stated) {
            for (Map.Entry<String, ? extends @Nullable Object> argument : stated.entrySet()) {
                String name = argument.getKey();
                if (!name.equals(PATH) && !names.contains(name)) {
                    return "%s is nothing that is heeded here. Accepted %s.".formatted(name, accepted);
                }
                if (argument.getValue() instanceof Collection<?> several) {
                    return "%s is stated %d times. State it once.".formatted(name, several.size());
                }
            }
            return null;
        }
    }
}
