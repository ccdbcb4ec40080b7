/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** A started application, and a client of it. */
public record RunningApplication(ConfigurableApplicationContext context) implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Gets a path, as text. */
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends the lines of a request head, as they are. */
    public RawAnswer send(String... head) throws IOException {
        return sendWithBody("", head);
    }

    /** Sends the lines of a request head and a body, as they are. */
    RawAnswer sendWithBody(String body, String... head) throws IOException {
        return RawAnswer.to(port(), List.of(head), body);
    }

    /** Where it listens. */
    int port() {
        return uri("/").getPort();
    }

    /** Sends a request with a JSON body, which may be empty. */
    HttpResponse<String> json(String method, String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The address of a path. */
    URI uri(String path) {
        return URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    @Override
    public void close() {
        context.close();
    }
}
