/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import org.jspecify.annotations.Nullable;

/** A hop as forwarding headers write it: an address, in brackets or not, with a port or not. */
final class Node {

    private Node() {}

    /**
     * The address of a hop; {@code null} for {@code unknown}, for an obfuscated name such as {@code _gazonk}, which a proxy
     * may make up anew for every request, and for what is no address.
     */
    static @Nullable IpAddress address(String node) {
        if (node.startsWith("[")) {
            int end = node.indexOf(']');
            if (end < 0 || !isPort(node.substring(end + 1))) {
                return null;
            }
            String inside = node.substring(1, end);
            return inside.indexOf(':') < 0 ? null : IpAddress.parse(inside);
        }
        int colon = node.indexOf(':');
        boolean v4WithPort = colon >= 0 && colon == node.lastIndexOf(':');
        if (v4WithPort) {
            return isPort(node.substring(colon)) ? IpAddress.parse(node.substring(0, colon)) : null;
        }
        return IpAddress.parse(node);
    }

    /** Nothing, or a colon and a port, which may be obfuscated. */
    private static boolean isPort(String text) {
        return text.isEmpty() || text.matches(":([0-9]{1,5}|_[A-Za-z0-9._-]+)");
    }
}
