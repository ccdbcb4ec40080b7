/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.ratelimit.build.RepositoryRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** All sequences of a directory. */
final class Vectors {

    private static final String PROPERTY = "ratelimit.vectors";
    private static final String DEFAULT = "../shared/vectors";
    private static final String OWN = "ratelimit-autoconfigure/src/test/resources/vectors";

    private final List<Sequence> sequences = new ArrayList<>();
    private final Map<String, String> unsupported = new LinkedHashMap<>();
    private final Set<String> passedOver = new LinkedHashSet<>();

    private Vectors() {}

    /** The directory that was asked for, else the shared one, else the copy in this repository. */
    static Path directory() {
        String asked = System.getProperty(PROPERTY);
        if (asked != null) {
            Path fromRoot = RepositoryRoot.path(asked);
            return Files.isDirectory(fromRoot) ? fromRoot : Path.of(asked);
        }
        Path shared = RepositoryRoot.path(DEFAULT);
        return Files.isDirectory(shared) ? shared : own();
    }

    /** The directory in this repository. */
    static Path own() {
        return RepositoryRoot.path(OWN);
    }

    /** Reads a directory; one without sequences, or with a file that cannot be read, is an error. */
    static Vectors in(Path directory) {
        Vectors vectors = new Vectors();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.getFileName().toString().endsWith(".json"))
                    .sorted()
                    .forEach(vectors::add);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
        if (vectors.sequences.isEmpty() && vectors.unsupported.isEmpty()) {
            throw new IllegalArgumentException("no sequences in " + directory);
        }
        return vectors;
    }

    List<Sequence> sequences() {
        return sequences;
    }

    /** What cannot even be read, by id. */
    Map<String, String> unsupported() {
        return unsupported;
    }

    /** What was not looked at, in words. */
    Set<String> passedOver() {
        return passedOver;
    }

    /** Whether a field is there and does not say no. */
    static boolean isSet(JsonNode object, String field) {
        JsonNode value = object.get(field);
        return value != null && !value.isNull() && !(value.isBoolean() && !value.asBoolean());
    }

    private void add(Path file) {
        JsonNode content = parse(file);
        if (!content.path("kind").asText().equals("sequences")) {
            return;
        }
        String name = file.getFileName().toString();
        JsonNode all = content.get("vectors");
        if (all == null || !all.isArray()) {
            throw new IllegalArgumentException(name + " has no vectors");
        }
        String unit = content.path("timeUnit").asText("us");
        for (JsonNode vector : all) {
            if (!isSet(vector, "unjudged")) {
                add(name, unit, vector);
            }
        }
    }

    private void add(String file, String unit, JsonNode vector) {
        try {
            if (!unit.equals("us")) {
                throw new Unsupported("timeUnit " + unit);
            }
            Sequence.unknownFields(vector)
                    .forEach(field -> passedOver.add("passed over: field \"" + field + "\" of vectors in " + file));
            sequences.add(Sequence.read(file, vector));
        } catch (Unsupported e) {
            unsupported.put(file + "#" + vector.path("id").asText("?"), e.getMessage());
        }
    }

    private static JsonNode parse(Path file) {
        try {
            return new ObjectMapper().readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(file + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
