/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.Principal;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The text of a value that has no parts. Numbers that are equal have one text, whatever their type: {@code 42},
 * {@code 42L}, {@code 42.0}, {@code 4.2E+1}.
 */
final class ScalarText {

    /** Below this every whole double is exact, and its text that of the long. */
    private static final double EXACT = 1L << 53;

    private static final int MOST_ZEROES = 40;

    /** Whether objects of a class have no text but Object's, which differs with every instance. */
    private static final ClassValue<Boolean> WITHOUT_TEXT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() == Object.class;
            } catch (NoSuchMethodException e) {
                return false; // an interface: its implementations will say
            }
        }
    };

    private ScalarText() {}

    /** The text of a value; null when it has parts. */
    @SuppressWarnings("JavaUtilDate") // values of users, not our own use
    static @Nullable String of(Object value, Site site) {
        // Classes before interfaces: what is nearly always asked for is found at once.
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof Number number) {
            return of(number, site);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof UUID
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof CharSequence) {
            return value.toString();
        }
        if (value instanceof Principal principal) {
            return orComplain(principal.getName(), site);
        }
        if (hasParts(value)) {
            return null;
        }
        if (value instanceof Date date) {
            return Instant.ofEpochMilli(date.getTime()).toString(); // Date's own text drops the milliseconds
        }
        if (value instanceof InetAddress address) {
            return address.getHostAddress(); // its own text depends on whether the name was looked up
        }
        return value instanceof Class<?> type ? type.getName() : ownText(value, site);
    }

    /** Whether objects of this very type can only be told apart by which instance they are. */
    static boolean isOnlyAnIdentity(Class<?> type) {
        return Modifier.isFinal(type.getModifiers()) && !type.isPrimitive() && WITHOUT_TEXT.get(type);
    }

    private static boolean hasParts(Object value) {
        return value instanceof Collection
                || value instanceof Record
                || value instanceof Map
                || value instanceof Map.Entry
                || value.getClass().isArray();
    }

    private static String of(Number number, Site site) {
        if (number instanceof Long
                || number instanceof Integer
                || number instanceof BigInteger
                || number instanceof Short
                || number instanceof Byte) {
            return number.toString();
        }
        if (number instanceof Double || number instanceof Float) {
            double value = number.doubleValue();
            if (value == Math.rint(value) && Math.abs(value) < EXACT) {
                return Long.toString((long) value);
            }
            return Double.isFinite(value) ? decimal(new BigDecimal(number.toString())) : number.toString();
        }
        return number instanceof BigDecimal decimal ? decimal(decimal) : ownText(number, site);
    }

    /** One text for all scales; zeroes are written out only while they are few, for a scale may be a billion. */
    private static String decimal(BigDecimal decimal) {
        BigDecimal stripped = decimal.stripTrailingZeros();
        return stripped.scale() <= 0 && stripped.scale() > -MOST_ZEROES
                ? stripped.toPlainString()
                : stripped.toString();
    }

    private static String ownText(Object value, Site site) {
        Class<?> type = value.getClass();
        if (LaterValues.include(type)) {
            throw site.noKey("is a %s, whose value is not there yet".formatted(type.getName()));
        }
        if (!WITHOUT_TEXT.get(type)) {
            String text = orComplain(value.toString(), site);
            // The end of Object's text, also when a proxy passes toString() and hashCode() on.
            if (text.indexOf('@') < 0 || !text.endsWith("@" + Integer.toHexString(value.hashCode()))) {
                return text;
            }
        }
        throw site.noKey(
                "is a %s, which has no text of its own: each instance would be another key".formatted(type.getName()));
    }

    private static String orComplain(@Nullable String text, Site site) {
        if (text == null) {
            throw site.noKey("has a name or text that is null");
        }
        return text;
    }
}
