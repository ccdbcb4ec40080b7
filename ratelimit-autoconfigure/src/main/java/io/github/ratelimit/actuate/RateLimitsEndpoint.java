/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.actuate;

import io.github.ratelimit.RateLimitStore;
import io.github.ratelimit.tuning.InWords;
import io.github.ratelimit.tuning.LimitCatalog;
import io.github.ratelimit.tuning.Numbers;
import io.github.ratelimit.tuning.OverrideKeeper;
import io.github.ratelimit.tuning.Overrides.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The actuator endpoint {@code ratelimits}: limited methods, limits and their numbers, the state of a key; and, where
 * access is unrestricted, overriding numbers and forgetting a key.
 *
 * <p>The path is one parameter, and what requests state beside it is checked by {@link HeededArguments}.
 *
 * <p>Its operations block. WebFlux runs them on its own threads for that, not on an event loop.
 */
@WebEndpoint(id = RateLimitsEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

    private static final Logger log = LoggerFactory.getLogger(RateLimitsEndpoint.class);

    static final String ID = "ratelimits";

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

    /**
     * One limit; or the state of one key, of which an empty one is the counter that everyone shares.
     *
     * @param path the limit, and {@code key} for the state of one
     * @param key the key
     */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> read(
            @Selector(match = Match.ALL_REMAINING) String[] path,
            @Nullable @org.springframework.lang.Nullable String key) {
        LimitPath asked = LimitPath.of(path);
        return switch (asked.part()) {
            case "" -> answer(() -> limits.one(asked.limit()));
            case LimitPath.KEY -> answer(() -> keys.of(asked.limit(), stated(key)));
            default -> Answers.error(404, "There is no '" + asked.part() + "' of a limit. Ask for /key?key=…");
        };
    }

    /**
     * Overrides numbers of a limit, or of one of its plans.
     *
     * @param path the limit, and {@code override}
     * @param permits how many permits there are per period; null: as stated
     * @param period the period; null: as stated
     * @param burst what a bucket holds; null: as stated
     * @param plan the plan; null: the limit itself
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> override(
            @Selector(match = Match.ALL_REMAINING) String[] path,
            @Nullable @org.springframework.lang.Nullable String permits,
            @Nullable @org.springframework.lang.Nullable String period,
            @Nullable @org.springframework.lang.Nullable String burst,
            @Nullable @org.springframework.lang.Nullable String plan) {
        LimitPath asked = LimitPath.of(path);
        if (!asked.part().equals(LimitPath.OVERRIDE)) {
            return Answers.error(404, "Nothing of a limit can be written but its 'override'");
        }
        return answer(() -> put(new Target(asked.limit(), plan), StatedNumbers.of(permits, period, burst)));
    }

    private Map<String, Object> put(Target target, Numbers numbers) {
        Map<String, Object> before = limits.one(target.limit());
        overrides.put(target, numbers);
        Map<String, Object> now = limits.one(target.limit());
        log.info(
                "Limit '{}'{} is overridden on {}: permits {}, period {}, burst {}",
                now.get("name"),
                ofPlan(target.plan()),
                reach(),
                numbers.permits(),
                numbers.period() == null ? null : InWords.of(numbers.period()),
                numbers.burst());
        log.debug("It was: {}", before);
        now.put("overrides", reach());
        return now;
    }

    /**
     * Removes an override, or forgets a key.
     *
     * @param path the limit, and {@code override} or {@code key}
     * @param key the key to forget
     * @param plan the plan whose override is removed; null: those of the limit and of all its plans
     */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> delete(
            @Selector(match = Match.ALL_REMAINING) String[] path,
            @Nullable @org.springframework.lang.Nullable String key,
            @Nullable @org.springframework.lang.Nullable String plan) {
        LimitPath asked = LimitPath.of(path);
        return switch (asked.part()) {
            case LimitPath.KEY -> answer(() -> forget(asked.limit(), stated(key)));
            case LimitPath.OVERRIDE -> answer(() -> remove(asked.limit(), plan));
            default -> Answers.error(404, "Of a limit only 'override' and 'key' can be deleted");
        };
    }

    private Map<String, Object> forget(String limit, String key) {
        String name = keys.reset(limit, key);
        log.info("A key of limit '{}' is forgotten", name);
        return Map.of("limit", name, "key", key, "state", "forgotten");
    }

    private Map<String, Object> remove(String limit, @Nullable String plan) {
        overrides.remove(limit, plan);
        Map<String, Object> now = limits.afterRemoval(limit);
        log.info("Limit '{}'{} is no longer overridden on {}", now.get("name"), ofPlan(plan), reach());
        now.put("overrides", reach());
        return now;
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
        return enabled ? Answers.of(operation) : Answers.error(503, "Limits are off: ratelimit.enabled = false");
    }
}
