/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

/**
 * A request as the container made it, before filters read its forwarding headers.
 *
 * @param request the container's own
 * @param readByTomcat whether Tomcat's valve has read its forwarding headers
 */
record ReceivedRequest(HttpServletRequest request, boolean readByTomcat) {

    private static final String TOMCAT = "org.apache.catalina.";
    private static final String READ_BY_TOMCAT = "org.apache.tomcat.request.forwarded";

    /** Wraps the request, and says of the container's own what the valve says: which it has left as it was. */
    private static final String FILTER_OF_TOMCAT = TOMCAT + "filters.RemoteIpFilter";

    /** The request behind all wrappers. To be asked for before any filter but those that have wrapped it. */
    static ReceivedRequest of(HttpServletRequest request) {
        boolean filtered = false;
        ServletRequest behind = request;
        while (behind instanceof ServletRequestWrapper wrapper) {
            filtered |= wrapper.getClass().getName().startsWith(FILTER_OF_TOMCAT);
            behind = wrapper.getRequest();
        }
        HttpServletRequest received = behind instanceof HttpServletRequest http ? http : request;
        boolean read = isTomcats(received) && Boolean.TRUE.equals(received.getAttribute(READ_BY_TOMCAT));
        return new ReceivedRequest(received, read && !filtered);
    }

    private static boolean isTomcats(HttpServletRequest request) {
        return request.getClass().getName().startsWith(TOMCAT);
    }

    /**
     * Whether the container has read the forwarding headers. Tomcat says so for each request.
     *
     * @param told whether it was told to: of other containers no more is known
     */
    boolean isReadByContainer(boolean told) {
        return isTomcats(request) ? readByTomcat : told;
    }
}
