/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory that holds the whole repository, found upwards from where the tests run. */
public final class RepositoryRoot {

    private static final Path ROOT = find(Path.of("").toAbsolutePath());

    private RepositoryRoot() {}

    /** The path of something in the repository, as in {@code path("README.md")}. */
    public static Path path(String relative) {
        return ROOT.resolve(relative);
    }

    /** The text of a file in the repository. */
    public static String text(String relative) {
        try {
            return Files.readString(path(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path find(Path start) {
        for (Path here = start; here != null; here = here.getParent()) {
            if (Files.exists(here.resolve("settings.gradle.kts"))) {
                return here;
            }
        }
        throw new IllegalStateException("no settings.gradle.kts in " + start + " or above it");
    }
}
