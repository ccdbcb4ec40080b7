/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page in Markdown.
 *
 * @param file where it is, from the root of the repository
 * @param text what it says
 */
record Page(String file, String text) {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Set<String> NOT_OURS = Set.of("target", "build");

    /**
     * A block of code.
     *
     * @param number which of the page's it is
     * @param section the heading it stands under
     * @param language what the page says it is
     * @param code its lines
     */
    record Block(int number, String section, String language, String code) {}

    static Page of(String file) {
        try {
            return new Page(file, Files.readString(ROOT.resolve(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every page of the repository. */
    static List<Page> all() {
        List<Page> pages = new ArrayList<>();
        add(ROOT, pages);
        return pages;
    }

    private static void add(Path directory, List<Page> pages) {
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.sorted().toList()) {
                String name = entry.getFileName().toString();
                if (Files.isDirectory(entry)
                        && !name.startsWith(".")
                        && !NOT_OURS.contains(name)
                        && !name.equals("src")) {
                    add(entry, pages);
                } else if (name.endsWith(".md")) {
                    pages.add(of(ROOT.relativize(entry).toString().replace('\\', '/')));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its blocks of code, in order. */
    List<Block> blocks() {
        List<MatchResult> headings = HEADING.matcher(blanked(text)).results().toList();
        List<Block> blocks = new ArrayList<>();
        FENCE.matcher(text).results().forEach(fence -> {
            String section = headings.stream()
                    .filter(heading -> heading.start() < fence.start())
                    .reduce("", (before, heading) -> heading.group(1), (one, other) -> other);
            blocks.add(new Block(blocks.size(), section, fence.group(1), fence.group(2)));
        });
        return blocks;
    }

    /** The levels of its headings, in order. */
    List<Integer> levels() {
        return HEADING.matcher(blanked(text))
                .results()
                .map(heading -> heading.group().indexOf(' '))
                .toList();
    }

    /** Where links of this page lead, from the root of the repository; those to elsewhere are left out. */
    List<String> links() {
        return LINK.matcher(blanked(text))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains("://"))
                .map(this::fromRoot)
                .toList();
    }

    private String fromRoot(String link) {
        if (link.startsWith("#")) {
            return file + link;
        }
        return ROOT.relativize(ROOT.resolve(file).resolveSibling(link).normalize())
                .toString()
                .replace('\\', '/');
    }

    /** Whether something is there that a link from the root leads to. */
    static boolean leads(String link) {
        String[] parts = link.split("#", 2);
        return Files.exists(ROOT.resolve(parts[0]))
                && (parts.length == 1 || of(parts[0]).anchors().contains(parts[1]));
    }

    /** The anchors of its headings, as GitHub makes them. */
    private Set<String> anchors() {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(blanked(text)).results().forEach(heading -> {
            String anchor = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }

    /** The text with its blocks of code empty, at the same places. */
    private static String blanked(String text) {
        return FENCE.matcher(text).replaceAll(fence -> fence.group().replaceAll("[^\\n]", " "));
    }

    @Override
    public String toString() {
        return file;
    }
}
