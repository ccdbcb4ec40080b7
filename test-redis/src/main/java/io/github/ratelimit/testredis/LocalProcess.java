/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@code redis-server} started on this machine as a child of this JVM. */
final class LocalProcess implements ServerProcess {

    private static final String WATCH = """
            trap '' HUP INT TERM
            ours() { case "$(readlink "/proc/$1/cwd")" in "$2" | "$2 (deleted)") true ;; *) [ ! -e /proc/self ] ;; esac; }
            read -r _
            while kill -s 0 "$1" && ours "$1" "$2"; do kill -s KILL "$1"; done
            rm -rf -- "$2"
            """;

    private static final Duration SIGNAL_TIME = Duration.ofSeconds(5);

    private final List<String> command;
    private final Path directory;
    private final Path logFile;
    private volatile long logStart;
    private volatile boolean paused;
    private volatile @Nullable Process process;
    private volatile @Nullable Process watch;

    LocalProcess(List<String> command, Path directory, Path logFile) {
        this.command = command;
        this.directory = directory;
        this.logFile = logFile;
    }

    @Override
    public void start() throws IOException {
        logStart = Files.exists(logFile) ? Files.size(logFile) : 0;
        Process started = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()))
                .start();
        started.getOutputStream().close();
        paused = false;
        process = started;
        watch = watch(started.pid());
    }

    @Override
    public boolean isAlive() {
        Process known = process;
        return known != null && known.isAlive();
    }

    @Override
    public long pid() {
        Process known = process;
        return known == null ? -1 : known.pid();
    }

    @Override
    public void stop(Duration grace) {
        Process running = process;
        if (running == null) {
            return;
        }
        unwatch();
        if (paused) {
            signal(running, "CONT"); // a frozen process would not see the SIGTERM
        }
        running.destroy();
        if (!ended(running, grace)) {
            kill();
        }
    }

    @Override
    public void kill() {
        Process running = process;
        if (running != null) {
            unwatch();
            running.destroyForcibly();
            if (!ended(running, SIGNAL_TIME)) {
                throw new IllegalStateException("Process " + running.pid() + " outlived SIGKILL");
            }
        }
    }

    @Override
    public void pause() {
        signal(running(), "STOP");
        paused = true;
        // The signal is delivered a little after kill(1) returns: wait until the process is seen stopped.
        Path stat = Path.of("/proc", Long.toString(pid()), "stat");
        if (Files.exists(stat)) {
            Poll.until("process " + pid() + " is stopped", SIGNAL_TIME, () -> stateIn(stat) == 'T');
        }
    }

    @Override
    public void resume() {
        signal(running(), "CONT");
        paused = false;
    }

    @Override
    public String log() {
        try {
            byte[] all = Files.readAllBytes(logFile);
            int from = (int) Math.min(logStart, all.length);
            return new String(all, from, all.length - from, UTF_8);
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    @Override
    public void dispose() {
        // the directory belongs to the server
    }

    /**
     * Starts a shell that ends the server and deletes its directory should this JVM die without running its shutdown
     * hooks: its input ends with the JVM. A process that took over the id meanwhile has another working directory.
     */
    private Process watch(long pid) throws IOException {
        return new ProcessBuilder("sh", "-c", WATCH, "watch-redis", Long.toString(pid), directory.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void unwatch() {
        Process known = watch;
        if (known != null) {
            known.destroyForcibly();
            watch = null;
        }
    }

    private Process running() {
        Process known = process;
        if (known == null || !known.isAlive()) {
            throw new IllegalStateException("The process does not run");
        }
        return known;
    }

    private static char stateIn(Path stat) {
        try {
            String line = Files.readString(stat);
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void signal(Process target, String name) {
        try {
            // The shell's own kill is there on every POSIX system; a kill program need not be.
            Process kill = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + target.pid())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(kill.getInputStream().readAllBytes(), UTF_8);
            if (!ended(kill, SIGNAL_TIME) || (kill.exitValue() != 0 && target.isAlive())) {
                throw new IllegalStateException("SIG" + name + " failed: " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("SIG" + name + " failed", e);
        }
    }

    private static boolean ended(Process process, Duration time) {
        boolean interrupted = false;
        try {
            long end = System.nanoTime() + time.toNanos();
            while (true) {
                try {
                    return process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // cleaning up goes on; the caller sees the flag afterwards
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
