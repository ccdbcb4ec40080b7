/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Puts the scripts together, once, when loaded.
 *
 * <p>Every algorithm is written once, as a few functions ({@code look}, {@code ask}, {@code take}, {@code save},
 * {@code tell}; {@code most}, {@code give}, {@code cancel}), and every operation once, in terms of these. A script for
 * one limit is the time, the clock, the algorithm and the operation one behind the other. A script for several limits carries
 * all algorithms, each in a block of its own, and the functions pass on to the block that the limit's numbers name in their
 * first byte.
 *
 * <p>Redis runs the whole text for every call, and making the functions costs more than the calls of most of them. So where
 * an algorithm has calls that are usual, these are decided ahead of the first function, right behind the time.
 */
final class Scripts {

    private static final String[] FUNCTIONS = {"look", "ask", "take", "save", "tell"};
    private static final String[] BACK_FUNCTIONS = {"most", "give", "cancel"};

    private final Map<Operation, Map<Counter, Script>> one = new EnumMap<>(Operation.class);
    private final Map<Operation, Script> several = new EnumMap<>(Operation.class);
    private final UnaryOperator<String> finish;

    Scripts() {
        this(UnaryOperator.identity());
    }

    /** Scripts that are changed before they are used: a test brings its own clock. */
    Scripts(UnaryOperator<String> finish) {
        this.finish = finish;
        for (Operation operation : Operation.values()) {
            Map<Counter, Script> perCounter = new EnumMap<>(Counter.class);
            for (Counter counter : Counter.values()) {
                perCounter.put(
                        counter,
                        script(usual(counter, operation) + read("clock") + functions(counter, operation), operation));
            }
            one.put(operation, perCounter);
            several.put(operation, script(read("clock") + dispatch(operation), operation));
        }
    }

    /** The script for one limit. */
    Script one(Operation operation, Counter counter) {
        return present(present(one, operation), counter);
    }

    /** The script for several limits of any kind. */
    Script several(Operation operation) {
        return present(several, operation);
    }

    /** The maps are complete: the constructor goes through all values of both enums. */
    private static <K, V> V present(Map<K, V> complete, K key) {
        return Objects.requireNonNull(complete.get(key));
    }

    private Script script(String functions, Operation operation) {
        return Script.of(finish.apply(read("time") + functions + read(operation.file())));
    }

    private static String usual(Counter counter, Operation operation) {
        return counter.hasUsual() && operation == Operation.IN_TURN ? read(counter.usualFile()) : "";
    }

    private static String functions(Counter counter, Operation operation) {
        StringBuilder text = new StringBuilder();
        for (String file : counter.files()) {
            text.append(read(file));
        }
        return operation.givesBack() ? text.append(read(counter.backFile())).toString() : text.toString();
    }

    private static String dispatch(Operation operation) {
        StringBuilder text = new StringBuilder("local counters = {}\n");
        for (Counter counter : Counter.values()) {
            text.append("do\n").append(functions(counter, operation));
            text.append("counters.%c = {".formatted(counter.code()));
            for (String function : names(operation)) {
                text.append("%s = %s, ".formatted(function, function));
            }
            text.append("}\nend\n");
        }
        text.append("""
                local function look(key, numbers)
                  local counter = counters[sub(numbers, 1, 1)]
                  local s = counter.look(key, numbers)
                  s.counter = counter
                  return s
                end
                """);
        for (String function : names(operation)) {
            if (!function.equals("look")) {
                text.append(
                        "local function %s(s, ...) return s.counter.%s(s, ...) end\n".formatted(function, function));
            }
        }
        return text.toString();
    }

    private static String[] names(Operation operation) {
        if (!operation.givesBack()) {
            return FUNCTIONS;
        }
        String[] all = new String[FUNCTIONS.length + BACK_FUNCTIONS.length];
        System.arraycopy(FUNCTIONS, 0, all, 0, FUNCTIONS.length);
        System.arraycopy(BACK_FUNCTIONS, 0, all, FUNCTIONS.length, BACK_FUNCTIONS.length);
        return all;
    }

    private static String read(String file) {
        try (InputStream in = Scripts.class.getResourceAsStream(file + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The script " + file + ".lua is not beside " + Scripts.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
