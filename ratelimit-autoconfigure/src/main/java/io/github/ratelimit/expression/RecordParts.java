/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the components of records of one class. */
final class RecordParts {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final ClassValue<RecordParts> BY_CLASS = new ClassValue<>() {
        @Override
        protected RecordParts computeValue(Class<?> type) {
            return new RecordParts(type);
        }
    };

    /** Null when the record's module does not let us look. */
    private final @Nullable List<MethodHandle> accessors;

    private RecordParts(Class<?> type) {
        this.accessors = accessorsOf(type);
    }

    static RecordParts of(Class<?> type) {
        return BY_CLASS.get(type);
    }

    private static @Nullable List<MethodHandle> accessorsOf(Class<?> type) {
        try {
            List<MethodHandle> accessors = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                accessors.add(LOOKUP.unreflect(accessor));
            }
            return List.copyOf(accessors);
        } catch (InaccessibleObjectException | IllegalAccessException e) {
            return null;
        }
    }

    /** The components of one record, in order. */
    List<@Nullable Object> of(Object instance, Site site) {
        if (accessors == null) {
            throw site.noKey("is a record of a module that does not open it to reflection");
        }
        List<@Nullable Object> parts = new ArrayList<>(accessors.size());
        for (MethodHandle accessor : accessors) {
            try {
                parts.add(accessor.invoke(instance));
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw site.unusable("failed to read a component of a record", e);
            }
        }
        return parts;
    }
}
