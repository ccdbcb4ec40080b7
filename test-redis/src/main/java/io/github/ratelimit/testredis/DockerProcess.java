/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.testredis;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/** A {@code redis-server} in a container of its own, inside the network of a {@link Network}. */
final class DockerProcess implements ServerProcess {

    private static final Logger LOG = LoggerFactory.getLogger(DockerProcess.class);

    private static final long PROBE_SECONDS = 90;

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1");

    private final List<String> command;
    private final Network network;
    private final boolean ownsNetwork;
    private @Nullable GenericContainer<?> container;

    DockerProcess(List<String> command, Network network, boolean ownsNetwork) {
        this.command = command;
        this.network = network;
        this.ownsNetwork = ownsNetwork;
    }

    /** Whether Docker answers, publishes ports on this machine's loopback, and has or gets the image. */
    static boolean isUsable() {
        return Usable.ANSWER;
    }

    /** Asks on a thread of its own, since Testcontainers tries for minutes to get its own image, and cannot be told. */
    private static boolean probeInTime() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread asking = new Thread(() -> answer.complete(probe()), "test-redis-docker-probe");
        asking.setDaemon(true);
        asking.start();
        try {
            return answer.get(PROBE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("Docker answers but gets no images within {} s: not used", PROBE_SECONDS);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean probe() {
        try {
            DockerClientFactory docker = DockerClientFactory.instance();
            if (!docker.isDockerAvailable()) {
                return false;
            }
            if (!LOOPBACK.contains(docker.dockerHostIpAddress())) {
                LOG.info("Docker answers from {}, not from this machine: not used", docker.dockerHostIpAddress());
                return false;
            }
            return hasImage(ImageNameSubstitutor.instance().apply(image()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Docker answers but has no image {}: not used", image(), e);
            return false;
        }
    }

    /** Looks for the image and else pulls it, once: Testcontainers itself would try again for minutes. */
    private static boolean hasImage(DockerImageName image) throws InterruptedException {
        try {
            client().inspectImageCmd(image.asCanonicalNameString()).exec();
            return true;
        } catch (NotFoundException missing) {
            LOG.info("Pulling {}", image);
            return client().pullImageCmd(image.getUnversionedPart())
                    .withTag(image.getVersionPart())
                    .start()
                    .awaitCompletion(PROBE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static DockerImageName image() {
        return DockerImageName.parse(System.getProperty(RedisProvider.IMAGE_PROPERTY, "redis:7.2-alpine"));
    }

    @Override
    public void start() throws IOException {
        try {
            GenericContainer<?> known = container;
            if (known == null) {
                known = new GenericContainer<>(image())
                        .withNetworkMode("container:" + network.id())
                        .withCommand(command.toArray(String[]::new));
                container = known;
                known.start();
            } else {
                client().startContainerCmd(known.getContainerId()).exec();
            }
        } catch (ContainerLaunchException e) {
            throw new IOException("The container did not start", e);
        }
    }

    @Override
    public boolean isAlive() {
        return container != null && container.isRunning();
    }

    @Override
    public long pid() {
        return -1;
    }

    @Override
    public void stop(Duration grace) {
        if (isAlive()) {
            try {
                client().unpauseContainerCmd(id()).exec();
            } catch (RuntimeException notPaused) {
                LOG.trace("Not paused", notPaused);
            }
            try {
                client().stopContainerCmd(id())
                        .withTimeout((int) grace.toSeconds())
                        .exec();
            } catch (NotModifiedException ended) {
                LOG.trace("Ended by itself", ended);
            }
        }
    }

    @Override
    public void kill() {
        client().killContainerCmd(id()).exec();
    }

    @Override
    public void pause() {
        client().pauseContainerCmd(id()).exec();
    }

    @Override
    public void resume() {
        client().unpauseContainerCmd(id()).exec();
    }

    @Override
    public String log() {
        return container == null ? "" : container.getLogs();
    }

    @Override
    public void dispose() {
        if (container != null) {
            container.stop();
            container = null;
        }
        if (ownsNetwork) {
            network.close();
        }
    }

    private String id() {
        if (container == null) {
            throw new IllegalStateException("The container does not run");
        }
        return container.getContainerId();
    }

    private static DockerClient client() {
        return DockerClientFactory.instance().client();
    }

    /** The answer of the one probe of this JVM. */
    private static final class Usable {

        static final boolean ANSWER = probeInTime();
    }

    /**
     * A network namespace with published ports, kept open by an idle container.
     *
     * <p>Servers join it, so that they reach each other on its loopback under the same ports under which this machine
     * reaches them, and so that the ports stay published while a server is down.
     */
    static final class Network implements AutoCloseable {

        private final GenericContainer<?> holder;

        Network(List<Integer> ports) throws IOException {
            holder = new GenericContainer<>(image()).withCommand("sleep", "2147483647");
            holder.withCreateContainerCmdModifier(create -> create.withExposedPorts(
                            ports.stream().map(ExposedPort::tcp).toList())
                    .getHostConfig()
                    .withPortBindings(ports.stream()
                            .map(port -> new PortBinding(
                                    Ports.Binding.bindIpAndPort("127.0.0.1", port), ExposedPort.tcp(port)))
                            .toList()));
            try {
                holder.start();
            } catch (ContainerLaunchException e) {
                holder.stop();
                throw new IOException("The container that publishes " + ports + " did not start", e);
            }
        }

        String id() {
            return holder.getContainerId();
        }

        @Override
        public void close() {
            holder.stop();
        }
    }
}
