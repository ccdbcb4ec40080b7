/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.tuning;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.tuning.Overrides.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The overrides that limits cannot work with: left out, with a warning once for each, and of a bounded number of them. Of one
 * limit as many are kept as it can work with together, its own before those of its plans.
 */
final class UnfitOverrides {

    private static final Logger log = LoggerFactory.getLogger(UnfitOverrides.class);

    private static final int MOST_WARNINGS = 100;

    private static final Comparator<Target> ITS_OWN_FIRST =
            Comparator.comparing(Target::plan, Comparator.nullsFirst(Comparator.naturalOrder()));

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * What is stated without the overrides that their limits cannot work with.
     *
     * @throws InvalidLimitException if no override is to blame
     */
    Definitions leaveOut(Definitions stated) {
        Definitions left = stated;
        while (true) {
            try {
                var unused = left.resolve();
                return left;
            } catch (InvalidLimitException mistake) {
                Definitions fitting = fitting(left, mistake.limit());
                if (fitting.overrides().equals(left.overrides())) {
                    throw mistake;
                }
                left = fitting;
            }
        }
    }

    /** Tries again what did not fit, until nothing does: a limit's numbers may need those of a plan beside them. */
    private Definitions fitting(Definitions stated, String limit) {
        Definitions fitting = stated.with(stated.overrides().without(limit, null));
        List<Target> left = targets(stated, limit);
        int before;
        do {
            before = left.size();
            for (Target target : List.copyOf(left)) {
                Definitions more = with(target, stated, fitting);
                if (mistake(more, limit) == null) {
                    fitting = more;
                    left.remove(target);
                }
            }
        } while (left.size() < before);
        for (Target target : left) {
            warn(target, mistake(with(target, stated, fitting), limit));
        }
        return fitting;
    }

    private static List<Target> targets(Definitions stated, String limit) {
        Target all = new Target(limit, null);
        List<Target> targets = new ArrayList<>(stated.overrides().byTarget().keySet());
        targets.removeIf(target -> !all.covers(target));
        targets.sort(ITS_OWN_FIRST);
        return targets;
    }

    private static Definitions with(Target target, Definitions stated, Definitions fitting) {
        return fitting.with(fitting.overrides().with(target, stated.overrides().of(target.limit(), target.plan())));
    }

    private static @Nullable InvalidLimitException mistake(Definitions tried, String limit) {
        try {
            var unused = tried.sources(RelaxedNames.relaxed(limit)).resolve();
            return null;
        } catch (InvalidLimitException mistake) {
            return mistake;
        }
    }

    private void warn(Target target, @Nullable InvalidLimitException mistake) {
        if (mistake != null && warned.size() < MOST_WARNINGS && warned.add(target + " " + mistake.value())) {
            String whose = target.plan() == null ? "" : " of plan '" + target.plan() + "'";
            log.warn("An override{} is ignored: {}", whose, mistake.getMessage());
        }
    }
}
