/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.redis;

import io.github.ratelimit.build.RepositoryRoot;
import io.github.ratelimit.testkit.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One change to a script file that must be noticed.
 *
 * @param file the script file
 * @param wrong what is wrong with the mutant
 * @param original the text that is replaced
 * @param replacement by what
 */
record Mutant(String file, String wrong, String original, String replacement) {

    private static final String KEPT = "ratelimit-autoconfigure/src/test/resources/mutants/scripts.txt";

    /** The kept list. */
    static List<Mutant> all() {
        return Stream.of(RepositoryRoot.text(KEPT).split("\n\n", -1))
                .filter(block -> !block.startsWith("#"))
                .map(String::strip)
                .map(Mutant::of)
                .toList();
    }

    private static Mutant of(String block) {
        List<String> original = new ArrayList<>();
        List<String> replacement = new ArrayList<>();
        List<String> lines = block.lines().toList();
        for (String line : lines.subList(1, lines.size())) {
            (line.startsWith("-") ? original : replacement).add(line.substring(1));
        }
        String[] title = lines.get(0).split(": ", 2);
        return new Mutant(title[0], title[1], String.join("\n", original), String.join("\n", replacement));
    }

    /** How often what is replaced is found in the file. */
    int occurrences() {
        return ("\n" + ScriptHeader.text(file)).split(java.util.regex.Pattern.quote("\n" + original + "\n"), -1).length
                - 1;
    }

    /** Changes an assembled script, if the file is in it. */
    String in(String script) {
        String text = ScriptHeader.text(file);
        return script.replace(text, text.replace(original + "\n", replacement + "\n"));
    }

    /** The ways of counting that may notice. */
    List<Kind> kinds() {
        List<Kind> kinds = Stream.of(Kind.values())
                .filter(kind -> files(kind).contains(file))
                .toList();
        return kinds.isEmpty() ? List.of(Kind.values()) : kinds;
    }

    private static List<String> files(Kind kind) {
        Counter counter = Counter.of(kind.named("any").permits(1).build());
        List<String> files = new ArrayList<>(counter.files());
        files.add(Objects.requireNonNull(counter.backFile()));
        if (counter.hasUsual()) {
            files.add(counter.usualFile());
        }
        return files;
    }

    @Override
    public String toString() {
        return file + ": " + wrong;
    }
}
