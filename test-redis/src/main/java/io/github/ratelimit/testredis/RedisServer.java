/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis server of one's own: own process, own loopback port, own temporary directory.
 *
 * <p>After every start the server on the port is asked who it is, so that a foreign server on that port is never
 * taken for this one. {@link #close()}, or the end of the JVM, ends the process and deletes the directory.
 */
public final class RedisServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisServer.class);

    private static final String HOST = "127.0.0.1";
    private static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration REPLY_TIME = Duration.ofSeconds(10);
    private static final Duration PROBE_TIME = Duration.ofSeconds(2);
    private static final int PORT_TRIES = 20;

    private final RedisProvider provider;
    private final int port;
    private final Path directory;
    private final String token;
    private final @Nullable String password;
    private final ServerProcess process;
    private final Duration startTime;
    private final boolean portReserved;
    private final Runnable closing = this::close;
    private volatile String version = "";
    private final AtomicBoolean closed = new AtomicBoolean();

    private RedisServer(RedisSource source, int port, Builder settings, DockerProcess.@Nullable Network ownNetwork) {
        Map<String, String> config = settings.config;
        this.provider = source.provider();
        this.port = port;
        this.portReserved = settings.fixedPort == 0;
        this.startTime = settings.startTime;
        this.password = config.get("requirepass");
        this.token = "ours-" + UUID.randomUUID() + ".rdb";
        this.directory = OwnDirectory.create("redis-" + port + "-");
        DockerProcess.Network network = ownNetwork == null ? settings.network : ownNetwork;
        this.process = network == null
                ? new LocalProcess(arguments(source.command(), config), directory, directory.resolve("redis.log"))
                : new DockerProcess(arguments(source.command(), config), network, ownNetwork != null);
        Leftovers.add(closing);
    }

    /** Starts a server with default settings. */
    public static RedisServer start() {
        return builder().start();
    }

    /** Returns a builder for a server with settings of one's own. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where this server came from. */
    public RedisProvider provider() {
        return provider;
    }

    /** The loopback address it listens on. */
    public String host() {
        return HOST;
    }

    /** The port it listens on; the same after a restart. */
    public int port() {
        return port;
    }

    /** Its address as a client URI, {@code redis://host:port} with the password if it wants one. */
    public String uri() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + HOST + ":" + port;
    }

    /** Its password, or {@code null} if it wants none. */
    public @Nullable String password() {
        return password;
    }

    /** The id of its process, another one after a restart; -1 for a container. */
    public long pid() {
        return process.pid();
    }

    /** Its temporary directory, with the log in {@code redis.log} (a container keeps its log to itself). */
    public Path directory() {
        return directory;
    }

    /** The Redis version it reports, such as {@code 7.0.15}. */
    public String version() {
        return version;
    }

    /** Whether its process runs; a paused one does. */
    public boolean isRunning() {
        return !closed.get() && process.isAlive();
    }

    /** What it has logged since its last start. */
    public String log() {
        return process.log();
    }

    /**
     * Sends one command over a connection of its own and returns the reply as {@link RedisCommands#send} does.
     *
     * @throws RedisReplyException if the reply is an error
     */
    public @Nullable Object command(String... command) {
        try (RedisCommands connection = connect()) {
            return connection.send(command);
        }
    }

    /** Opens a connection, logged in if the server has a password. */
    public RedisCommands connect() {
        return connect(REPLY_TIME);
    }

    /** Opens a connection that waits so long for each reply. */
    public RedisCommands connect(Duration timeout) {
        if (!isRunning()) {
            throw new IllegalStateException(this + " does not run");
        }
        return login(timeout);
    }

    /** Deletes all data. */
    public void flush() {
        command("FLUSHALL");
    }

    /** Ends the process in good order (SIGTERM, after a grace SIGKILL); {@link #restart()} brings it back. */
    public void stop() {
        process.stop(STOP_GRACE);
    }

    /** Ends the process at once (SIGKILL); {@link #restart()} brings it back. */
    public void kill() {
        process.kill();
    }

    /** Freezes the process (SIGSTOP): it keeps its connections and answers nothing until {@link #resume()}. */
    public void pause() {
        process.pause();
    }

    /** Lets a paused process go on (SIGCONT). */
    public void resume() {
        process.resume();
    }

    /**
     * Starts the server again on the same port, after stopping it if it runs.
     *
     * <p>Its data is lost unless persistence was configured; a cluster node keeps its id and slots.
     */
    public void restart() {
        if (closed.get()) {
            throw new IllegalStateException(this + " is closed");
        }
        stop();
        try {
            launch();
        } catch (PortTakenException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Ends the process and deletes the directory; does nothing the second time. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            process.stop(STOP_GRACE);
            process.dispose();
        } finally {
            OwnDirectory.delete(directory);
            if (portReserved) {
                FreePorts.release(port);
            }
            Leftovers.remove(closing);
        }
    }

    @Override
    public String toString() {
        return "Redis " + version + " on " + HOST + ":" + port + " ("
                + provider.name().toLowerCase(Locale.ROOT) + ")";
    }

    private List<String> arguments(String executable, Map<String, String> config) {
        boolean local = provider != RedisProvider.DOCKER;
        Map<String, String> all = new LinkedHashMap<>();
        all.put("port", Integer.toString(port));
        all.put("bind", local ? HOST : "0.0.0.0");
        all.put("protected-mode", local ? "yes" : "no");
        all.put("daemonize", "no");
        all.put("save", "");
        all.put("appendonly", "no");
        if (local) {
            all.put("dir", directory.toString());
        }
        all.put("dbfilename", token);
        all.putAll(config);
        List<String> arguments = new ArrayList<>();
        arguments.add(executable);
        all.forEach((name, value) -> {
            arguments.add("--" + name);
            arguments.add(value);
        });
        return arguments;
    }

    private RedisCommands login(Duration timeout) {
        RedisCommands connection = new RedisCommands(HOST, port, timeout);
        try {
            if (password != null) {
                connection.send("AUTH", password);
            }
            return connection;
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Starts the process and waits until it answers and is known to be ours. */
    private void launch() throws PortTakenException {
        try {
            process.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start Redis on port " + port, e);
        }
        long end = System.nanoTime() + startTime.toNanos();
        String lastSeen = "no connection";
        while (process.isAlive()) {
            lastSeen = probe();
            if (lastSeen.isEmpty()) {
                LOG.debug("Started {} with process id {} in {}", this, process.pid(), directory);
                return;
            }
            if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                process.kill();
                throw new IllegalStateException(
                        "Redis on port " + port + " is not ready: " + lastSeen + "\n" + process.log());
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        String log = process.log();
        if (log.contains("Address already in use") || log.contains("Failed listening on port")) {
            throw new PortTakenException("Port " + port + " is taken by another program (" + lastSeen + ")");
        }
        throw new IllegalStateException("Redis did not start on port " + port + ":\n" + log);
    }

    /** Asks the server on the port who it is; returns what is wrong, or nothing. */
    private String probe() {
        try (RedisCommands connection = login(PROBE_TIME)) {
            connection.send("PING");
            String info = String.valueOf(connection.send("INFO", "server"));
            if (!List.of("dbfilename", token).equals(connection.send("CONFIG", "GET", "dbfilename"))) {
                return "another Redis answers there: not started with our token";
            }
            if (process.pid() >= 0 && !field(info, "process_id").equals(Long.toString(process.pid()))) {
                return "another Redis answers there: process " + field(info, "process_id");
            }
            version = field(info, "redis_version");
            return "";
        } catch (UncheckedIOException | RedisReplyException | NumberFormatException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Reads one field of an {@code INFO} reply; empty if it is not there. */
    static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** Settings of a server to start. */
    public static final class Builder {

        private final Map<String, String> config = new LinkedHashMap<>();
        private @Nullable RedisSource source;
        private int fixedPort;
        private Duration startTime = Duration.ofSeconds(30);
        private boolean clusterNode;
        private DockerProcess.@Nullable Network network;
        private @Nullable IntSupplier ports;

        private Builder() {}

        /** Adds a setting of {@code redis.conf}, such as {@code maxmemory} and {@code 10mb}. */
        public Builder config(String name, String value) {
            if (name.startsWith("-") || value.startsWith("--")) {
                throw new IllegalArgumentException("Not a Redis setting: " + name + " " + value);
            }
            config.put(name, value);
            return this;
        }

        /** Makes the server want a password. */
        public Builder password(String password) {
            return config("requirepass", password);
        }

        /** Asks for this port instead of a free one; the start fails if it is taken. */
        public Builder port(int port) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("Not a port: " + port);
            }
            this.fixedPort = port;
            return this;
        }

        /** Sets the time the server has to answer after its start; 30 seconds without it. */
        public Builder startTime(Duration atMost) {
            this.startTime = atMost;
            return this;
        }

        /** Asks for this provider, whatever the system properties say. */
        public Builder provider(RedisProvider provider) {
            this.source = RedisSource.of(provider);
            return this;
        }

        /** Asks for this {@code redis-server}, whatever the system properties say. */
        public Builder executable(Path executable) {
            this.source = RedisSource.of(executable);
            return this;
        }

        Builder source(RedisSource source) {
            this.source = source;
            return this;
        }

        Builder clusterNode(DockerProcess.@Nullable Network network) {
            this.clusterNode = true;
            this.network = network;
            return this;
        }

        Builder ports(IntSupplier ports) {
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
                server = new RedisServer(
                        chosen, port, this, needsNetwork ? new DockerProcess.Network(List.of(port)) : null);
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

    /** Another program has the port. */
    private static final class PortTakenException extends Exception {

        private static final long serialVersionUID = 1L;

        PortTakenException(String message) {
            super(message);
        }

        PortTakenException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
