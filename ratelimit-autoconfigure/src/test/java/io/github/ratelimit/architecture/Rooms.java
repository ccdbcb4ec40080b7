/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.architecture;

import java.util.List;
import java.util.stream.Stream;

/** The rooms of the library: its packages, and what each may use besides itself, the JDK and JSpecify. */
@SuppressWarnings("ImmutableEnumChecker") // both lists come from List.of
enum Rooms {
    /** Reactor: for its one reactive word, as another wall says. */
    WORDS("", ours(), others("org.slf4j..", "org.reactivestreams..", "reactor..")),
    ANNOTATION("annotation", ours(""), others("org.springframework.core..")),
    ALGORITHM("algorithm", ours(""), others()),
    LOCAL("local", ours("", "algorithm"), others("org.slf4j..")),
    REDIS(
            "redis",
            ours("", "algorithm", "tuning"),
            others(
                    "org.slf4j..",
                    "org.springframework.aot.hint..",
                    "org.springframework.core..",
                    "org.springframework.dao..",
                    "org.springframework.data.redis..",
                    "org.springframework.util..",
                    "io.lettuce.core..",
                    "io.netty.bootstrap..",
                    "io.netty.channel..",
                    "io.netty.handler.flush..",
                    "redis.clients.jedis..")),
    STORE("store", ours(""), others("org.slf4j..")),
    LIMITER("limiter", ours(""), others("org.slf4j..", "org.reactivestreams..", "reactor..")),
    EXPRESSION(
            "expression",
            ours(""),
            others(
                    "org.slf4j..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..",
                    "org.springframework.expression..",
                    "org.springframework.util..")),
    INTERCEPT(
            "intercept",
            ours("", "annotation", "expression", "limiter", "tuning"),
            others(
                    "io.micrometer.context..",
                    "org.aopalliance..",
                    "org.slf4j..",
                    "org.springframework.aot..",
                    "org.springframework.aop..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..",
                    "org.springframework.format..",
                    "org.springframework.scheduling..",
                    "org.springframework.util..",
                    "org.reactivestreams..",
                    "reactor..",
                    "kotlin..",
                    "kotlinx..")),
    WEB(
            "web",
            ours("", "expression", "limiter"),
            others(
                    "io.micrometer.context..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.slf4j..",
                    "org.springframework.core..",
                    "org.springframework.http..",
                    "org.springframework.util..",
                    "org.springframework.web.bind.annotation..",
                    "org.springframework.web.method..",
                    "org.springframework.web.util..")),
    WEB_SERVLET(
            "web.servlet",
            ours("", "expression", "limiter", "web"),
            others(
                    "jakarta.servlet..",
                    "org.slf4j..",
                    "org.springframework.aot.hint..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..",
                    "org.springframework.http..",
                    "org.springframework.util..",
                    "org.springframework.web..")),
    WEB_REACTIVE(
            "web.reactive",
            ours("", "expression", "limiter", "web"),
            others(
                    "io.netty.channel..",
                    "io.netty.handler.codec.http..",
                    "jakarta.servlet..",
                    "org.reactivestreams..",
                    "org.slf4j..",
                    "org.springframework.aot.hint..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..",
                    "org.springframework.http..",
                    "org.springframework.util..",
                    "org.springframework.web..",
                    "reactor..")),
    TUNING(
            "tuning",
            ours(""),
            others(
                    "org.slf4j..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..",
                    "org.springframework.data.redis..",
                    "org.springframework.util..")),
    METRICS("metrics", ours("", "store", "tuning"), others("io.micrometer..", "org.slf4j..")),
    EVENTS(
            "events",
            ours("", "store"),
            others(
                    "org.slf4j..",
                    "org.springframework.beans..",
                    "org.springframework.context..",
                    "org.springframework.core..")),
    ACTUATE("actuate", ours("", "tuning"), others("org.slf4j..", "org.springframework..")),
    /** The wiring: it knows everybody, and nobody knows it. */
    AUTOCONFIGURE("autoconfigure", ours(), others(".."));

    private final String name;
    private final List<String> ours;
    private final List<String> others;

    Rooms(String name, List<String> ours, List<String> others) {
        this.name = name;
        this.ours = ours;
        this.others = others;
    }

    /** The package of this room under a root package. */
    String packageUnder(String root) {
        return under(root, name);
    }

    /** The packages this room may use, itself among them. */
    String[] mayUse(String root) {
        Stream<String> everybody = Stream.of(packageUnder(root), "java..", "org.jspecify.annotations");
        return Stream.of(everybody, ours.stream().map(room -> under(root, room)), others.stream())
                .flatMap(packages -> packages)
                .toArray(String[]::new);
    }

    private static String under(String root, String room) {
        return room.isEmpty() ? root : root + "." + room;
    }

    private static List<String> ours(String... rooms) {
        return List.of(rooms);
    }

    private static List<String> others(String... packages) {
        return List.of(packages);
    }
}
