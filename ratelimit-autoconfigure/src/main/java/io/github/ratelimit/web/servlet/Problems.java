/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.web.Refusal;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Refusals as problems in a servlet's answer. */
final class Problems {

    private Problems() {}

    /** Writes a problem; what was in the buffer goes. Where the application has the writer, by that, and the container measures. */
    static void write(Refusal refusal, HttpServletResponse response) throws IOException {
        response.resetBuffer();
        response.setStatus(refusal.status());
        response.setContentType(Refusal.CONTENT_TYPE);
        ServletOutputStream stream;
        try {
            stream = response.getOutputStream();
        } catch (IllegalStateException writerIsTaken) {
            response.setContentLengthLong(-1);
            response.getWriter().write(refusal.body());
            return;
        }
        byte[] body = refusal.body().getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(body.length);
        stream.write(body);
    }
}
