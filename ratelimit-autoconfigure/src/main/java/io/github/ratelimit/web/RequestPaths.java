/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/**
 * The ways in which an application may read the path of a request.
 *
 * <p>Spring reads it as it is sent: {@code //} is not {@code /}, {@code ..} is a name, {@code %2F} belongs to a name. Containers,
 * firewalls and older matchers clean it first. A limit that follows one of them can be got round by asking in the way of
 * the other, so a rule holds if it matches either: a request too many is counted, none passes beside the rule.
 */
public final class RequestPaths {

    private final String text;
    private final String sent;
    private final boolean clean;
    private final boolean single;
    private @Nullable List<PathContainer> readings;

    private RequestPaths(
            String text, String sent, boolean clean, boolean single, @Nullable List<PathContainer> readings) {
        this.text = text;
        this.sent = sent;
        this.clean = clean;
        this.single = single;
        this.readings = readings;
    }

    /** The one reading of a path within the application that is clean, parsed when a rule asks; null: it is not. */
    public static @Nullable RequestPaths ofClean(String sent) {
        return isClean(sent) ? new RequestPaths(sent, sent, true, true, null) : null;
    }

    /** The readings of a path within the application. */
    public static RequestPaths of(PathContainer sent) {
        String raw = sent.value();
        if (isClean(raw)) {
            return new RequestPaths(raw, raw, true, true, List.of(sent));
        }
        StringBuilder encoded = new StringBuilder(raw.length());
        StringBuilder text = new StringBuilder(raw.length());
        for (String segment : segments(raw)) {
            text.append('/').append(segment);
            encoded.append('/').append(segment.replace("%", "%25").replace(";", "%3B"));
        }
        PathContainer cleaned = PathContainer.parsePath(encoded.isEmpty() ? "/" : encoded.toString());
        return new RequestPaths(
                text.isEmpty() ? "/" : text.toString(), asHandlersRead(sent), false, false, List.of(sent, cleaned));
    }

    /** These readings, and those of the same path within a part of the application. */
    public RequestPaths or(PathContainer sent) {
        List<PathContainer> more = new ArrayList<>(readings());
        more.addAll(of(sent).readings());
        return new RequestPaths(text, this.sent, clean, false, more);
    }

    List<PathContainer> readings() {
        List<PathContainer> parsed = readings;
        if (parsed == null) {
            parsed = List.of(PathContainer.parsePath(text));
            readings = parsed;
        }
        return parsed;
    }

    /** Whether nobody reads it otherwise than {@link #text} writes it. */
    boolean isSingle() {
        return single;
    }

    /** The path as text: decoded, without parameters, empty names, dots and a slash at the end. */
    public String text() {
        return text;
    }

    /** The path as the handlers of Spring read it: as it was sent, the names decoded and without parameters; a slash in one stays encoded. */
    String sent() {
        return sent;
    }

    /** Whether it was sent as {@link #text} writes it. */
    boolean isClean() {
        return clean;
    }

    private static boolean isClean(String raw) {
        int length = raw.length();
        if (length == 0 || raw.charAt(0) != '/') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = raw.charAt(i);
            if (c == ';' || c == '%') {
                return false;
            }
            if (c == '/' && i > 0 && (i == length - 1 || raw.charAt(i - 1) == '/')) {
                return false;
            }
            if (c == '.' && i > 0 && raw.charAt(i - 1) == '/') {
                return false;
            }
        }
        return true;
    }

    private static String asHandlersRead(PathContainer sent) {
        StringBuilder text = new StringBuilder(sent.value().length());
        for (PathContainer.Element element : sent.elements()) {
            text.append(
                    element instanceof PathContainer.PathSegment name
                            ? name.valueToMatch().replace("/", "%2F")
                            : element.value());
        }
        return text.toString();
    }

    private static List<String> segments(String raw) {
        List<String> segments = new ArrayList<>();
        for (String part : raw.split("/", -1)) {
            int parameters = part.indexOf(';');
            for (String name : decoded(parameters < 0 ? part : part.substring(0, parameters))
                    .split("/", -1)) {
                if (name.equals("..")) {
                    if (!segments.isEmpty()) {
                        segments.remove(segments.size() - 1);
                    }
                } else if (!name.isEmpty() && !name.equals(".")) {
                    segments.add(name);
                }
            }
        }
        return segments;
    }

    /** Percent-decoded as UTF-8; what is malformed stays, or becomes the replacement character. */
    private static String decoded(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(bytes[i + 2], 16) : -1;
            if (low >= 0) {
                out.write((high << 4) | low);
                i += 2;
            } else {
                out.write(bytes[i]);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
