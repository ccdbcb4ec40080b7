/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.CallerAddresses;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request as the server received it, before Reactor Netty or Spring read its forwarding headers.
 *
 * @param peer the address at the other end of the connection
 * @param headers the headers that were sent
 */
record ReceivedRequest(@Nullable String peer, CallerAddresses.HeaderLines headers) {

    static final String OF_NETTY = "reactor.netty.http.server.HttpServerRequest";
    static final String OF_SERVLETS = "jakarta.servlet.http.HttpServletRequest";

    private static final boolean NETTY = isPresent(OF_NETTY);
    private static final boolean SERVLET = isPresent(OF_SERVLETS);

    static ReceivedRequest of(ServerHttpRequest request) {
        Object received = received(request);
        if (NETTY && received != null && OverNetty.is(received)) {
            return OverNetty.of(received);
        }
        if (SERVLET && received != null && OverServlet.is(received)) {
            return OverServlet.of(received);
        }
        return new ReceivedRequest(
                text(request.getRemoteAddress()), name -> HeaderLines.of(request.getHeaders(), name));
    }

    /** What the server made; nothing for the request of a test. */
    private static @Nullable Object received(ServerHttpRequest request) {
        try {
            return ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String text(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : null;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, ReceivedRequest.class.getClassLoader());
    }

    /** Apart, so that it is loaded only where Reactor Netty is. */
    private static final class OverNetty {

        static boolean is(Object request) {
            return request instanceof HttpServerRequest;
        }

        static ReceivedRequest of(Object request) {
            HttpServerRequest received = (HttpServerRequest) request;
            List<SocketAddress> peer = new ArrayList<>(1);
            received.withConnection(connection -> peer.add(connection.channel().remoteAddress()));
            return new ReceivedRequest(
                    peer.isEmpty() ? null : text(peer.get(0)),
                    name -> received.requestHeaders().getAll(name));
        }
    }

    /** Apart, so that it is loaded only where servlets are. */
    private static final class OverServlet {

        static boolean is(Object request) {
            return request instanceof HttpServletRequest;
        }

        static ReceivedRequest of(Object request) {
            HttpServletRequest received = (HttpServletRequest) request;
            return new ReceivedRequest(received.getRemoteAddr(), name -> Collections.list(received.getHeaders(name)));
        }
    }
}
