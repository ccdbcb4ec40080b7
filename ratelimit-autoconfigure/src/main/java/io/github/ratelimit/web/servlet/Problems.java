/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.Refusal;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Refusals as problems in a servlet's answer. */
final class Problems {

    private Problems() {}

    /** Writes a problem; what was in the buffer goes. */
    static void write(Refusal refusal, HttpServletResponse response) throws IOException {
        byte[] body = refusal.body().getBytes(StandardCharsets.US_ASCII);
        response.resetBuffer();
        response.setStatus(refusal.status());
        response.setContentType(Refusal.CONTENT_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
