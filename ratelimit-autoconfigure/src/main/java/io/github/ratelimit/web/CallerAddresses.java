/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which address a request came from, as far as that can be believed.
 *
 * <p>The peer of the connection is believed. If it is a trusted proxy, so is the hop it names, which is the rightmost; if
 * that is a trusted proxy too, the next; and so on. What a proxy that is not trusted says is never read. Where a hop is
 * no address, the walk ends at the one that named it.
 */
public final class CallerAddresses {

    private static final Logger LOG = LoggerFactory.getLogger(CallerAddresses.class);

    private final AtomicBoolean warned = new AtomicBoolean();
    private final List<Network> trusted;
    private final int ipv6Prefix;

    /**
     * @param trustedProxies networks in CIDR notation
     * @param ipv6Prefix how many bits of an IPv6 address tell callers apart
     * @throws IllegalArgumentException for what is no network
     */
    public CallerAddresses(List<String> trustedProxies, int ipv6Prefix) {
        List<Network> networks = new ArrayList<>();
        trustedProxies.forEach(text -> networks.add(Network.parse(text.strip())));
        this.trusted = List.copyOf(networks);
        this.ipv6Prefix = ipv6Prefix;
    }

    /** The lines of a request's headers. */
    @FunctionalInterface
    public interface HeaderLines {

        /** The values of a header, a line each, in the order they came in; empty if there is none. */
        List<String> of(String name);
    }

    /**
     * The caller's address.
     *
     * @param peer the address at the other end of the connection, as a literal
     * @param headers the headers as they were sent
     * @return the one text of the address, IPv6 as the network it belongs to; {@code null} if the peer has no IP address
     */
    public @Nullable String of(@Nullable String peer, HeaderLines headers) {
        IpAddress address = peer == null ? null : Node.address(peer);
        if (address != null && isTrusted(address)) {
            address = walk(address, headers);
        }
        return text(address);
    }

    /** The address of a request whose container has read the forwarding headers already. */
    public @Nullable String asReadByContainer(@Nullable String remote) {
        return text(remote == null ? null : Node.address(remote));
    }

    private IpAddress walk(IpAddress peer, HeaderLines headers) {
        List<String> forwarded = headers.of("Forwarded");
        if (saysNothing(forwarded)) {
            return walk(peer, headers.of("X-Forwarded-For"), false);
        }
        IpAddress caller = walk(peer, forwarded, true);
        if (!warned.get()) {
            compare(caller, peer, headers.of("X-Forwarded-For"));
        }
        return caller;
    }

    private static boolean saysNothing(List<String> lines) {
        return lines.stream().allMatch(String::isBlank);
    }

    /** Proxies that write both headers have both name one caller; where a caller sends one of them, they seldom do. */
    private void compare(IpAddress caller, IpAddress peer, List<String> lines) {
        if (!saysNothing(lines) && !walk(peer, lines, false).equals(caller) && warned.compareAndSet(false, true)) {
            LOG.warn("A trusted proxy sent Forwarded and X-Forwarded-For that name different callers. Forwarded is"
                    + " believed. Have your proxies remove the header they do not write: else callers may choose"
                    + " by which address they are counted. This is logged once.");
        }
    }

    private IpAddress walk(IpAddress peer, List<String> lines, boolean forwarded) {
        FromTheRight hops = new FromTheRight(lines, forwarded);
        IpAddress nearest = peer;
        for (String hop = hops.previous(); hop != null; hop = hops.previous()) {
            String node = forwarded ? ForwardedElement.node(hop) : hop;
            IpAddress named = node == null ? null : Node.address(node);
            if (named == null) {
                return nearest;
            }
            nearest = named;
            if (!isTrusted(nearest)) {
                return nearest;
            }
        }
        return nearest;
    }

    /** What is wrong with a trusted proxy, as the rest of a sentence; {@code null}: nothing. */
    public static @Nullable String problem(String trustedProxy) {
        try {
            Network.parse(trustedProxy.strip());
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private boolean isTrusted(IpAddress address) {
        for (Network network : trusted) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String text(@Nullable IpAddress address) {
        if (address == null) {
            return null;
        }
        return (address.isV6() ? address.network(ipv6Prefix) : address).toString();
    }
}
