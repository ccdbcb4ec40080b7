/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit;

/** A call was denied. Carries the decision, never the key. Has no stack trace: a denial is an everyday event. */
public final class RateLimitExceededException extends RateLimitException {

    private static final long serialVersionUID = 1L;

    private final String limit;
    private final DenialReason reason;
    private final transient Decision.Denied denied;

    /** An exception for this denial. */
    public RateLimitExceededException(Decision.Denied denied) {
        super("");
        this.limit = denied.limit();
        this.reason = denied.reason();
        this.denied = denied;
    }

    /** {@inheritDoc} Put together only when somebody asks: most denials are answered unread. */
    @Override
    public String getMessage() {
        return "Limit '" + limit + "' denied the call: " + reason;
    }

    /** The decision that stopped the call. */
    public Decision.Denied denied() {
        return denied;
    }
}
