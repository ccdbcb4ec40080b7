/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A whole answer as it came over the wire, without what belongs to the transport (date, connection, framing).
 *
 * @param status the code
 * @param headers by name in lower case; several of one name are joined
 * @param body the body, put together from its chunks
 * @param whole whether the answer came to its end
 */
public record RawAnswer(int status, Map<String, String> headers, String body, boolean whole) {

    private static final Set<String> TRANSPORT =
            Set.of("date", "connection", "keep-alive", "transfer-encoding", "content-length");

    /** Sends the lines of a request, one connection for it alone, and reads until the server hangs up. */
    static RawAnswer to(int port, List<String> head, String body) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            String request = String.join("\r\n", head) + "\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            String wire = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return parse(wire.replaceAll("(?<![0-9a-f])3[45]\\d\\d(?= second|\r|$|\\n|,)", "3600"));
        }
    }

    /** The answer of this text. Of an hour's limit the rest counts as the whole: time passes between two requests. */
    private static RawAnswer parse(String wire) {
        int end = wire.indexOf("\r\n\r\n");
        List<String> lines = wire.substring(0, end).lines().toList();
        Map<String, String> headers = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (one, other) -> one + " | " + other);
        }
        String rest = wire.substring(end + 4);
        boolean chunked = "chunked".equals(headers.get("transfer-encoding"));
        String body = chunked ? unchunked(rest) : rest;
        boolean whole = chunked ? rest.endsWith("0\r\n\r\n") : headers.containsKey("content-length");
        headers.keySet().removeAll(TRANSPORT);
        int status = Integer.parseInt(lines.get(0).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        return new RawAnswer(status, headers, body, whole);
    }

    private static String unchunked(String rest) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int lineEnd = rest.indexOf("\r\n", at);
            int size = lineEnd < 0
                    ? 0
                    : Integer.parseInt(rest.substring(at, lineEnd).strip(), 16);
            if (size == 0) {
                return body.toString();
            }
            body.append(rest, lineEnd + 2, lineEnd + 2 + size);
            at = lineEnd + 2 + size + 2;
        }
    }

    @Nullable
    String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** The headers that say something about limits, one per line. */
    String limitHeaders() {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().contains("ratelimit")
                        || header.getKey().equals("retry-after")
                        || header.getKey().startsWith("access-control"))
                .map(header -> header.getKey() + ": " + header.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** The whole answer as text: status, headers in alphabetical order, blank line, body. */
    public String text() {
        String head = headers.entrySet().stream()
                .map(header -> "\n" + header.getKey() + ": " + header.getValue())
                .collect(Collectors.joining());
        return status + head + "\n\n" + body;
    }
}
