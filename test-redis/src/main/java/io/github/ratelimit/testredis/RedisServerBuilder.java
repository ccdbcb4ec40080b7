/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings of a server to start. */
public final class RedisServerBuilder {

    private static final Logger LOG = LoggerFactory.getLogger(RedisServerBuilder.class);
    private static final int PORT_TRIES = 20;

    final Map<String, String> config = new LinkedHashMap<>();
    private @Nullable RedisSource source;
    private int fixedPort;
    Duration startTime = Duration.ofSeconds(30);
    private boolean clusterNode;
    DockerProcess.@Nullable Network network;
    private @Nullable IntSupplier ports;

    RedisServerBuilder() {}

    /** Whether the port is one of those handed out, to be given back. */
    boolean hasReservedPort() {
        return fixedPort == 0;
    }

    /** Adds a setting of {@code redis.conf}, such as {@code maxmemory} and {@code 10mb}. */
    public RedisServerBuilder config(String name, String value) {
        if (name.startsWith("-") || value.startsWith("--")) {
            throw new IllegalArgumentException("Not a Redis setting: " + name + " " + value);
        }
        config.put(name, value);
        return this;
    }

    /** Makes the server want a password. */
    public RedisServerBuilder password(String password) {
        return config("requirepass", password);
    }

    /** Asks for this port instead of a free one; the start fails if it is taken. */
    public RedisServerBuilder port(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("Not a port: " + port);
        }
        this.fixedPort = port;
        return this;
    }

    /** Sets the time the server has to answer after its start; 30 seconds without it. */
    public RedisServerBuilder startTime(Duration atMost) {
        this.startTime = atMost;
        return this;
    }

    /** Asks for this provider, whatever the system properties say. */
    public RedisServerBuilder provider(RedisProvider provider) {
        this.source = RedisSource.of(provider);
        return this;
    }

    /** Asks for this {@code redis-server}, whatever the system properties say. */
    public RedisServerBuilder executable(Path executable) {
        this.source = RedisSource.of(executable);
        return this;
    }

    RedisServerBuilder source(RedisSource source) {
        this.source = source;
        return this;
    }

    RedisServerBuilder clusterNode(DockerProcess.@Nullable Network network) {
        this.clusterNode = true;
        this.network = network;
        return this;
    }

    RedisServerBuilder ports(IntSupplier ports) {
        this.ports = ports;
        return this;
    }

    /** Starts the server and returns once it answers and is known to be ours. */
    public RedisServer start() {
        RedisSource chosen = source == null ? RedisSource.fromSystemProperties() : source;
        for (int tries = fixedPort > 0 ? 1 : PORT_TRIES; ; tries--) {
            int port = fixedPort > 0 ? fixedPort : nextPort();
            try {
                return start(chosen, port);
            } catch (PortTakenException e) {
                if (tries <= 1) {
                    throw new IllegalStateException(e.getMessage(), e);
                }
                LOG.debug("{}: trying another one", e.getMessage());
            }
        }
    }

    private int nextPort() {
        return ports == null ? FreePorts.reserve(clusterNode) : ports.getAsInt();
    }

    private RedisServer start(RedisSource chosen, int port) throws PortTakenException {
        boolean needsNetwork = chosen.provider() == RedisProvider.DOCKER && network == null;
        RedisServer server;
        try {
            server =
                    new RedisServer(chosen, port, this, needsNetwork ? new DockerProcess.Network(List.of(port)) : null);
        } catch (IOException e) {
            FreePorts.release(port);
            throw new PortTakenException("No container on port " + port + ": " + e, e);
        }
        try {
            server.launch();
            return server;
        } catch (PortTakenException | RuntimeException e) {
            server.close();
            throw e;
        }
    }
}
