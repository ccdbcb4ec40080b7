/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What stands between a call and the store that all instances share: {@link io.github.ratelimit.store.PerInstanceStore}
 * sends each charge to the store it belongs to, {@link io.github.ratelimit.store.SteadfastStore} has an answer in time
 * whatever the shared store does.
 */
@NullMarked
package io.github.ratelimit.store;

import org.jspecify.annotations.NullMarked;
