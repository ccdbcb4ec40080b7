/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/** A response that gets its headers before anything can send it. */
class WatchedResponse extends HttpServletResponseWrapper {

    private final ServletExchange exchange;

    WatchedResponse(HttpServletResponse response, ServletExchange exchange) {
        super(response);
        this.exchange = exchange;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        exchange.writeHeaders();
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        exchange.writeHeaders();
        return super.getWriter();
    }

    @Override
    public void flushBuffer() throws IOException {
        exchange.writeHeaders();
        super.flushBuffer();
    }

    @Override
    public void sendError(int status) throws IOException {
        exchange.writeHeaders(status);
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        exchange.writeHeaders(status);
        super.sendError(status, message);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        exchange.writeHeaders();
        super.sendRedirect(location);
    }
}
