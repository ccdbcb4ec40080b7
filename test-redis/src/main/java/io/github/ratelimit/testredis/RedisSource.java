/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.embedded.core.ExecutableProvider;

/** A chosen provider, with the executable to start unless it is Docker. */
record RedisSource(RedisProvider provider, @Nullable Path executable) {

    private static final Logger LOG = LoggerFactory.getLogger(RedisSource.class);

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static @Nullable Path bundled;

    /** The first word of the command line. */
    String command() {
        return executable == null ? "redis-server" : executable.toString();
    }

    /** The source asked for by the system properties, or the first usable one. */
    static RedisSource fromSystemProperties() {
        return choose(
                System.getProperty(RedisProvider.PROVIDER_PROPERTY, ""),
                System.getProperty(RedisProvider.EXECUTABLE_PROPERTY, ""),
                System.getenv().getOrDefault("PATH", ""),
                DockerProcess::isUsable);
    }

    static RedisSource of(RedisProvider provider) {
        return switch (provider) {
            case DOCKER -> new RedisSource(provider, null);
            case PATH ->
                ofPath(System.getenv().getOrDefault("PATH", ""))
                        .orElseThrow(() -> new IllegalStateException("No redis-server on the PATH"));
            case EMBEDDED -> new RedisSource(provider, bundled());
        };
    }

    static RedisSource of(Path executable) {
        if (!Files.isRegularFile(executable) || !Files.isExecutable(executable)) {
            throw new IllegalArgumentException("Not an executable file: " + executable);
        }
        return new RedisSource(RedisProvider.PATH, executable.toAbsolutePath());
    }

    static RedisSource choose(String provider, String executable, String path, BooleanSupplier dockerUsable) {
        Optional<RedisProvider> wish =
                provider.isEmpty() ? Optional.empty() : Optional.of(RedisProvider.parse(provider));
        if (!executable.isEmpty()) {
            if (wish.isPresent() && wish.get() != RedisProvider.PATH) {
                throw new IllegalArgumentException(RedisProvider.EXECUTABLE_PROPERTY + "=" + executable
                        + " contradicts " + RedisProvider.PROVIDER_PROPERTY + "=" + provider);
            }
            return of(Path.of(executable));
        }
        if (wish.isPresent() && wish.get() == RedisProvider.PATH) {
            return ofPath(path)
                    .orElseThrow(() -> new IllegalStateException("No redis-server on the PATH, but "
                            + RedisProvider.PROVIDER_PROPERTY + "=path asks for it"));
        }
        if (wish.isPresent()) {
            return of(wish.get());
        }
        if (dockerUsable.getAsBoolean()) {
            return of(RedisProvider.DOCKER);
        }
        return ofPath(path).orElseGet(() -> of(RedisProvider.EMBEDDED));
    }

    private static Optional<RedisSource> ofPath(String path) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(path)
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "redis-server"))
                .filter(candidate -> Files.isRegularFile(candidate) && Files.isExecutable(candidate))
                .findFirst()
                .map(RedisSource::of);
    }

    private static Path bundled() {
        LOCK.lock();
        try {
            Path known = bundled;
            if (known == null || !Files.isExecutable(known)) {
                Path directory = OwnDirectory.create("redis-binary-");
                Leftovers.add(() -> OwnDirectory.delete(directory));
                known = ExecutableProvider.newJarResourceProvider(directory.toFile())
                        .get()
                        .toPath();
                LOG.info("Unpacked the bundled redis-server");
                bundled = known;
            }
            return known;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack the bundled redis-server", e);
        } finally {
            LOCK.unlock();
        }
    }
}
