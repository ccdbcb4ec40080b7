/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
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

    static final String HOST = "127.0.0.1";
    private static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration REPLY_TIME = Duration.ofSeconds(10);

    private final RedisProvider provider;
    private final int port;
    private final Path directory;
    private final @Nullable String password;
    private final ServerProcess process;
    private final Launch launch;
    private final boolean portReserved;
    private final Runnable closing = this::close;
    private volatile String version = "";
    private final AtomicBoolean closed = new AtomicBoolean();

    RedisServer(RedisSource source, int port, RedisServerBuilder settings, DockerProcess.@Nullable Network ownNetwork) {
        this.provider = source.provider();
        this.port = port;
        this.portReserved = settings.hasReservedPort();
        this.password = settings.config.get("requirepass");
        this.directory = OwnDirectory.create("redis-" + port + "-");
        String token = "ours-" + UUID.randomUUID() + ".rdb";
        List<String> command = CommandLine.of(source, port, directory, token, settings.config);
        DockerProcess.Network network = ownNetwork == null ? settings.network : ownNetwork;
        this.process = network == null
                ? new LocalProcess(command, directory, directory.resolve("redis.log"))
                : new DockerProcess(command, network, ownNetwork != null);
        this.launch = new Launch(process, port, password, token, settings.startTime);
        Leftovers.add(closing);
    }

    /** Starts a server with default settings. */
    public static RedisServer start() {
        return builder().start();
    }

    /** Returns a builder for a server with settings of one's own. */
    public static RedisServerBuilder builder() {
        return new RedisServerBuilder();
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
        return RedisCommands.login(port, password, timeout);
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

    /** Starts the process and returns once it answers and is known to be ours. */
    void launch() throws PortTakenException {
        version = launch.run();
        LOG.debug("Started {} with process id {} in {}", this, process.pid(), directory);
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
}
