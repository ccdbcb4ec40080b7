/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

/**
 * A network in CIDR notation, such as {@code 10.0.0.0/8}; an address alone is a network of one.
 *
 * @param base its first address
 * @param prefix how many bits all its addresses share
 */
record Network(IpAddress base, int prefix) {

    /**
     * The network a text writes.
     *
     * @throws IllegalArgumentException if it is none; the message is the rest of a sentence
     */
    static Network parse(String text) {
        int slash = text.indexOf('/');
        IpAddress base = text.indexOf('%') >= 0 ? null : IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (base == null) {
            throw new IllegalArgumentException("is no address and no network");
        }
        int prefix = slash < 0 ? base.bits() : prefix(text.substring(slash + 1));
        if (prefix < 0 || prefix > base.bits()) {
            throw new IllegalArgumentException("has no prefix of 0 to " + base.bits());
        }
        IpAddress first = base.network(prefix);
        if (!first.equals(base)) {
            throw new IllegalArgumentException("is an address within the network %s/%d".formatted(first, prefix));
        }
        return new Network(base, prefix);
    }

    private static int prefix(String text) {
        return text.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(text) : -1;
    }

    boolean contains(IpAddress address) {
        return address.startsLike(base, prefix);
    }
}
