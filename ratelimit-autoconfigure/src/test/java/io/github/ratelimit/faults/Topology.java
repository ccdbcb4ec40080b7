/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import io.github.ratelimit.redis.LeastRights;
import io.github.ratelimit.testredis.RedisCluster;
import io.github.ratelimit.testredis.RedisProvider;
import io.github.ratelimit.testredis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A Redis as it is run somewhere, and what an application has to say in order to reach it. */
@SuppressWarnings("ImmutableEnumChecker") // a way to start one has no state
enum Topology {
    STANDALONE(() -> Deployment.of(RedisServer.start())),
    STANDALONE_BUNDLED(() ->
            Deployment.of(RedisServer.builder().provider(RedisProvider.EMBEDDED).start())),
    PASSWORD(() -> {
        RedisServer server = RedisServer.builder().password("secret").start();
        return Deployment.of(server).with("spring.data.redis.password=secret");
    }),
    ACL_USER(() -> {
        RedisServer server = RedisServer.start();
        return Deployment.of(server).with(Topology.leastRights(List.of(server)));
    }),
    ACL_USER_OF_DATABASE(() -> {
        RedisServer server = RedisServer.start();
        return Deployment.of(server)
                .with(Topology.leastRights(List.of(server), "+select"))
                .with("spring.data.redis.database=5");
    }),
    ACL_USER_OF_CLUSTER(() -> {
        RedisCluster cluster = RedisCluster.builder().start();
        return new Deployment(
                        cluster.masters(), List.of(), List.of("spring.data.redis.cluster.nodes=" + cluster.addresses()))
                .with(Topology.leastRights(cluster.masters(), "+cluster|nodes", "+cluster|slots"))
                .closing(cluster::close);
    }),
    DATABASE(() -> Deployment.of(RedisServer.start()).with("spring.data.redis.database=5")),
    TLS(() -> {
        Certificate certificate = Certificate.create();
        int port = Sentinel.freePort();
        RedisServer server = RedisServer.builder()
                .config("tls-port", Integer.toString(port))
                .config("tls-cert-file", certificate.certificate().toString())
                .config("tls-key-file", certificate.key().toString())
                .config("tls-auth-clients", "no")
                .start();
        return new Deployment(
                List.of(server),
                List.of(),
                List.of(
                        "spring.data.redis.host=" + server.host(),
                        "spring.data.redis.port=" + port,
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificate.certificate()));
    }),
    SENTINEL(() -> {
        Sentinel sentinel = Sentinel.start();
        return new Deployment(
                        List.of(sentinel.master()),
                        List.of(sentinel.replica()),
                        List.of(
                                "spring.data.redis.sentinel.master=" + Sentinel.NAME,
                                "spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port(),
                                "spring.data.redis.lettuce.read-from=replica"))
                .closing(sentinel::close);
    }),
    CLUSTER(() -> {
        RedisCluster cluster = RedisCluster.builder().replicasPerMaster(1).start();
        return new Deployment(
                        cluster.masters(),
                        cluster.replicas(),
                        List.of(
                                "spring.data.redis.cluster.nodes=" + cluster.addresses(),
                                "spring.data.redis.lettuce.read-from=replica"))
                .closing(cluster::close);
    });

    private static String[] leastRights(List<RedisServer> servers, String... more) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "counter", "on", ">secret"));
        command.addAll(LeastRights.rules());
        command.addAll(List.of(more));
        for (RedisServer server : servers) {
            server.command(command.toArray(String[]::new));
        }
        return new String[] {"spring.data.redis.username=counter", "spring.data.redis.password=secret"};
    }

    private final Supplier<Deployment> start;

    Topology(Supplier<Deployment> start) {
        this.start = start;
    }

    Deployment start() {
        return start.get();
    }

    /** One that runs. */
    record Deployment(
            List<RedisServer> masters, List<RedisServer> replicas, List<String> properties, List<Runnable> rest)
            implements AutoCloseable {

        Deployment(List<RedisServer> masters, List<RedisServer> replicas, List<String> properties) {
            this(masters, replicas, properties, List.of());
        }

        static Deployment of(RedisServer server) {
            return new Deployment(
                    List.of(server),
                    List.of(),
                    List.of("spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port()));
        }

        Deployment with(String... more) {
            List<String> all = new ArrayList<>(properties);
            all.addAll(List.of(more));
            return new Deployment(masters, replicas, all, rest);
        }

        Deployment closing(Runnable more) {
            return new Deployment(masters, replicas, properties, List.of(more));
        }

        @Override
        public void close() {
            rest.forEach(Runnable::run);
            masters.forEach(RedisServer::close);
            replicas.forEach(RedisServer::close);
        }
    }
}
