/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs.shop;

/** Whose account a token is. */
public class Accounts {

    /** The account. */
    public String of(String token) {
        return token;
    }
}
