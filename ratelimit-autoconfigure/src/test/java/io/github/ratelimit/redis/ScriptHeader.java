/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.build.RepositoryRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The comment that a script file opens with: a sentence that says what it is, and the terms it is held to. */
final class ScriptHeader {

    private static final String DIRECTORY = "ratelimit-autoconfigure/src/main/resources/io/github/ratelimit/redis";
    private static final Pattern TERM = Pattern.compile("-- (KEYS|ARGV|reply|numbers|facts) +(.*)");
    private static final Pattern CONTINUED = Pattern.compile("-- {8,}(.*)");

    private final String sentence;
    private final Map<String, String> terms = new LinkedHashMap<>();

    private ScriptHeader(String text) {
        List<String> lines =
                text.lines().takeWhile(line -> line.startsWith("--")).toList();
        this.sentence = lines.isEmpty() ? "" : lines.get(0).substring(2).strip();
        String term = "";
        for (String line : lines) {
            Matcher begun = TERM.matcher(line);
            Matcher continued = CONTINUED.matcher(line);
            if (begun.matches()) {
                term = begun.group(1);
                terms.put(term, begun.group(2));
            } else if (!term.isEmpty() && continued.matches()) {
                terms.merge(term, continued.group(1), (before, more) -> before + " " + more);
            } else {
                term = "";
            }
        }
    }

    static ScriptHeader of(String text) {
        return new ScriptHeader(text);
    }

    /** The script files there are, without their ending. */
    static List<String> files() {
        try (Stream<Path> files = Files.list(RepositoryRoot.path(DIRECTORY))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".lua"))
                    .map(name -> name.substring(0, name.length() - ".lua".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a script file. */
    static String text(String file) {
        return RepositoryRoot.text(DIRECTORY + "/" + file + ".lua");
    }

    String sentence() {
        return sentence;
    }

    /** What the header says about one of its terms; empty if nothing. */
    String term(String name) {
        return terms.getOrDefault(name, "");
    }

    /** How many values a term lists: {@code a, b (c, d), e (f: g)} are a, the two of b, and e. */
    int count(String name) {
        int count = 0;
        for (String item : items(term(name))) {
            Matcher group = Pattern.compile(".*\\((.*)\\)").matcher(item);
            boolean isList = group.matches()
                    && group.group(1).contains(",")
                    && !group.group(1).contains(":");
            count += isList ? items(group.group(1)).size() : 1;
        }
        return count;
    }

    /** Splits at the commas that stand in no brackets; what stands before a colon is a heading. */
    private static List<String> items(String list) {
        String values = list.matches("[^(,]*:.*") ? list.substring(list.indexOf(':') + 1) : list;
        List<String> items = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < values.length(); i++) {
            char c = values.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                items.add(values.substring(from, i).strip());
                from = i + 1;
            }
        }
        items.add(values.substring(from).strip());
        return items;
    }
}
