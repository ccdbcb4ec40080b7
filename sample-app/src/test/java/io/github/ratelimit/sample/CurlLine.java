/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A line of curl: the few options that documentation needs, and an error for any other.
 *
 * @param method of the request
 * @param url with the port 8080
 * @param headers names and values in turn
 * @param body of the request
 * @param showsHead whether status and headers are shown
 */
record CurlLine(String method, String url, List<String> headers, String body, boolean showsHead) {

    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static CurlLine parse(String line) {
        List<String> words = WORD.matcher(line).results().map(CurlLine::word).toList();
        String method = "GET";
        String url = "";
        String body = "";
        boolean showsHead = false;
        List<String> headers = new ArrayList<>();
        if (!words.get(0).equals("curl")) {
            throw new IllegalArgumentException("No curl: " + line);
        }
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-i" -> showsHead = true;
                case "-X" -> method = words.get(++i);
                case "-d" -> body = words.get(++i);
                case "-H" -> headers.addAll(List.of(words.get(++i).split(": ", 2)));
                default -> {
                    if (!words.get(i).startsWith("localhost:8080/") || !url.isEmpty()) {
                        throw new IllegalArgumentException("Not understood in " + line + ": " + words.get(i));
                    }
                    url = "http://" + words.get(i);
                }
            }
        }
        return new CurlLine(method, url, headers, body, showsHead);
    }

    /** Sends it to a server at another port. */
    HttpResponse<String> send(int port) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url.replace(":8080/", ":" + port + "/")))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String word(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }
}
