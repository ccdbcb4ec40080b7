/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.UnknownLimitException;
import io.github.ratelimit.tuning.InWords;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import io.github.ratelimit.tuning.UnknownPlanException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The actuator endpoint {@code ratelimits}: limited methods, limits and their numbers, the state of a key; and, where
 * access is unrestricted, overriding numbers and forgetting a key.
 *
 * <p>What stands in the body or the query replaces a part of the path that has the same name. So the limit's has one that
 * nobody uses for anything else.
 *
 * <p>Its operations block. WebFlux runs them on its own threads for that, not on an event loop.
 */
@WebEndpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

    private static final Logger log = LoggerFactory.getLogger(RateLimitsEndpoint.class);

    private static final String KEY = "key";
    private static final String OVERRIDE = "override";

    private final boolean enabled;
    private final LimitsReport limits;
    private final KeyState keys;
    private final OverrideKeeper overrides;
    private final Supplier<? extends Map<String, List<String>>> methods;

    /**
     * An endpoint.
     *
     * @param enabled whether calls are limited; if not, nobody has read what annotations state
     * @param catalog the limits
     * @param store the counters
     * @param storeName who keeps them, as meters say it; limits of which every instance has its own are local beside redis
     * @param overrides changes the numbers
     * @param methods the limited methods, each with the names of its limits
     */
    public RateLimitsEndpoint(
            boolean enabled,
            LimitCatalog catalog,
            RateLimitStore store,
            String storeName,
            OverrideKeeper overrides,
            Supplier<? extends Map<String, List<String>>> methods) {
        this.enabled = enabled;
        this.limits = new LimitsReport(catalog, storeName);
        this.keys = new KeyState(catalog, store);
        this.overrides = overrides;
        this.methods = methods;
    }

    /** Everything there is; while limits are off, that they are. */
    @ReadOperation
    public Map<String, Object> all() {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("enabled", enabled);
        if (!enabled) {
            return told;
        }
        told.put("methods", methods.get());
        told.put("limits", limits.all());
        told.put("overrides", reach());
        List<Map<String, Object>> idle = limits.idleOverrides();
        if (!idle.isEmpty()) {
            told.put("idleOverrides", idle);
        }
        return told;
    }

    /** One limit. */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> limit(@Selector String limitName) {
        return answer(() -> limits.one(limitName));
    }

    /** The state of one key; an empty key is the counter that everyone shares. */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> state(
            @Selector String limitName,
            @Selector String part,
            @Nullable @org.springframework.lang.Nullable String key) {
        if (!part.equals(KEY)) {
            return error(404, "There is no '" + part + "' of a limit. Ask for /" + KEY + "?key=…");
        }
        return answer(() -> keys.of(limitName, stated(key)));
    }

    /** Overrides numbers of a limit, or of one of its plans. */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> override(
            @Selector String limitName,
            @Selector String part,
            @Nullable @org.springframework.lang.Nullable String permits,
            @Nullable @org.springframework.lang.Nullable String period,
            @Nullable @org.springframework.lang.Nullable String burst,
            @Nullable @org.springframework.lang.Nullable String plan,
            @Nullable @org.springframework.lang.Nullable String limit) {
        if (!part.equals(OVERRIDE)) {
            return error(404, "Nothing of a limit can be written but its '" + OVERRIDE + "'");
        }
        if (limit != null) {
            return error(400, "limit = " + limit + " is stated beside the path, which says which limit. Leave it out.");
        }
        return answer(() -> {
            Map<String, Object> before = limits.one(limitName);
            Numbers numbers = StatedNumbers.of(permits, period, burst);
            overrides.put(new Target(limitName, plan), numbers);
            Map<String, Object> now = limits.one(limitName);
            log.info(
                    "Limit '{}'{} is overridden on {}: permits {}, period {}, burst {}",
                    now.get("name"),
                    ofPlan(plan),
                    reach(),
                    numbers.permits(),
                    numbers.period() == null ? null : InWords.of(numbers.period()),
                    numbers.burst());
            log.debug("It was: {}", before);
            now.put("overrides", reach());
            return now;
        });
    }

    /** Removes an override, or forgets a key. */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> delete(
            @Selector String limitName,
            @Selector String part,
            @Nullable @org.springframework.lang.Nullable String key,
            @Nullable @org.springframework.lang.Nullable String plan) {
        return switch (part) {
            case KEY ->
                answer(() -> {
                    String name = keys.reset(limitName, stated(key));
                    log.info("A key of limit '{}' is forgotten", name);
                    return Map.of("limit", name, "key", stated(key), "state", "forgotten");
                });
            case OVERRIDE ->
                answer(() -> {
                    overrides.remove(limitName, plan);
                    Map<String, Object> now = limits.afterRemoval(limitName);
                    log.info("Limit '{}'{} is no longer overridden on {}", now.get("name"), ofPlan(plan), reach());
                    now.put("overrides", reach());
                    return now;
                });
            default -> error(404, "Of a limit only '" + OVERRIDE + "' and '" + KEY + "' can be deleted");
        };
    }

    private static String ofPlan(@Nullable String plan) {
        return plan == null ? "" : ", plan '" + plan + "',";
    }

    private String reach() {
        return overrides.isShared() ? "every instance" : "this instance only";
    }

    private static String stated(@Nullable String key) {
        if (key == null) {
            throw new IllegalArgumentException(
                    "Say which key: ?key=…; an empty one is the counter that everyone shares.");
        }
        if (key.isBlank() && !key.isEmpty()) {
            throw new IllegalArgumentException(
                    "A blank key is none; an empty one is the counter that everyone shares.");
        }
        return key;
    }

    private WebEndpointResponse<Map<String, Object>> answer(Supplier<Map<String, Object>> operation) {
        if (!enabled) {
            return error(503, "Limits are off: ratelimit.enabled = false");
        }
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (UnknownLimitException | UnknownPlanException unknown) {
            return error(404, String.valueOf(unknown.getMessage()));
        } catch (InvalidLimitException invalid) {
            return error(
                    400,
                    "%s = %s %s. %s"
                            .formatted(invalid.attribute(), invalid.value(), invalid.problem(), invalid.remedy()));
        } catch (IllegalArgumentException bad) {
            return error(400, String.valueOf(bad.getMessage()));
        } catch (CompletionException failed) {
            log.warn("The actuator could not be served", failed);
            return error(503, "The store cannot answer");
        } catch (RuntimeException failed) {
            log.warn("The actuator could not be served", failed);
            return error(503, String.valueOf(failed.getMessage()));
        }
    }

    private static WebEndpointResponse<Map<String, Object>> error(int status, String reason) {
        return new WebEndpointResponse<>(Map.of("status", status, "reason", reason), status);
    }
}
