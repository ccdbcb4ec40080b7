/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import io.github.ratelimit.Decision;
import io.github.ratelimit.limiter.ServedRequest;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.Refusal;
import io.github.ratelimit.web.RequestDecisions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.ModelAndView;

/**
 * A servlet request that is being served, and what was decided for it.
 *
 * <p>A response may be written by one thread at a time, and a decision may be heard on any. So a decision is written into
 * the response at once only on the thread that serves the request; what other threads hear waits for the next moment at
 * which the container or the application touches the response.
 */
public final class ServletExchange implements ServedRequest {

    static final String ATTRIBUTE = ServletExchange.class.getName();

    private final HttpServletRequest request;
    private final ReceivedRequest received;
    private final HttpServletResponse response;
    private final AnswerHeaders headers;
    private final RequestDecisions decisions = new RequestDecisions();
    private final Map<String, String> written = new HashMap<>();
    private volatile @Nullable Thread serving;
    private volatile boolean heard;
    private volatile boolean broken;
    private volatile @Nullable Refusal awaitsPage;
    private @Nullable String exposedBefore;

    ServletExchange(HttpServletRequest request, HttpServletResponse response, AnswerHeaders headers) {
        this.request = request;
        this.received = ReceivedRequest.of(request);
        this.response = response;
        this.headers = headers;
    }

    /** What is known of a request; null when it did not come through our filter. */
    static @Nullable ServletExchange of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof ServletExchange exchange ? exchange : null;
    }

    /** The request, as it came through our filter. Not to be asked after its end. */
    public HttpServletRequest request() {
        return request;
    }

    /** The same as the container made it. */
    ReceivedRequest received() {
        return received;
    }

    /** Tells a request what refused it, wherever that was decided: what was written and does not hold any more is taken back. */
    static void tell(ServletRequest request, Refusal refusal) {
        ServletExchange exchange = of(request);
        if (exchange != null && exchange.decisions.add(refusal)) {
            exchange.onDecided();
            exchange.takeBack(refusal.status());
        }
    }

    @Override
    public void onDecision(Decision decision) {
        decisions.add(decision);
        onDecided();
    }

    private void onDecided() {
        heard = true;
        if (Thread.currentThread() == serving) {
            writeHeaders();
        }
    }

    @Override
    public void lacksKey() {}

    void servedBy(@Nullable Thread thread) {
        serving = thread;
    }

    /**
     * Takes back what was written and does not hold for a refusal. A servlet's answer gives no single header back, so it
     * begins anew, and gets those of others again.
     */
    private void takeBack(int status) {
        Map<String, String> now = headers.of(decisions, status);
        Set<String> stale = new HashSet<>(written.keySet());
        stale.removeAll(now.keySet());
        stale.remove(AnswerHeaders.EXPOSE);
        if (stale.isEmpty() || response.isCommitted()) {
            return;
        }
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (String name : response.getHeaderNames()) {
            others.put(name, new ArrayList<>(response.getHeaders(name)));
        }
        written.forEach(
                (name, value) -> others.getOrDefault(name, new ArrayList<>()).remove(value));
        written.clear();
        response.reset();
        others.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        if (exposedBefore != null) {
            response.addHeader(AnswerHeaders.EXPOSE, exposedBefore);
        }
        writeHeaders(status);
    }

    /** Has the application's error page shown because of a refusal. */
    void awaitPage(Refusal refusal) {
        awaitsPage = refusal;
    }

    /** Because of what this dispatch shows the error page; null: it does not, or not because of us. */
    @Nullable
    Refusal refusalOfPage(HttpServletRequest dispatched) {
        Refusal refusal = awaitsPage;
        boolean shows = refusal != null
                && dispatched.getDispatcherType() == DispatcherType.ERROR
                && Integer.valueOf(refusal.status())
                        .equals(dispatched.getAttribute(RequestDispatcher.ERROR_STATUS_CODE));
        return shows ? refusal : null;
    }

    /** Has the connection end with this dispatch; what caused that needs no more handling. */
    ModelAndView breakOff() {
        broken = true;
        return new ModelAndView();
    }

    boolean isBroken() {
        return broken;
    }

    void writeHeaders() {
        if (heard) {
            writeHeaders(response.getStatus());
        }
    }

    /** Writes the headers, as long as they can be written, and leaves alone what the application wrote itself. */
    void writeHeaders(int status) {
        if (!heard || response.isCommitted()) {
            return;
        }
        Map<String, String> now = headers.of(decisions, status);
        now.forEach(this::write);
        if (headers.exposed() && !now.isEmpty()) {
            expose(now);
        }
    }

    private void write(String name, String value) {
        String present = response.getHeader(name);
        if (present == null || present.equals(written.get(name))) {
            response.setHeader(name, value);
            written.put(name, value);
        }
    }

    /** Adds to what the application exposes: of the present lines, those are its own that are not ours. */
    private void expose(Map<String, String> now) {
        List<String> theirs = new ArrayList<>(response.getHeaders(AnswerHeaders.EXPOSE));
        if (theirs.remove(written.get(AnswerHeaders.EXPOSE)) && exposedBefore != null) {
            theirs.add(0, exposedBefore);
        }
        exposedBefore = theirs.isEmpty() ? null : String.join(", ", theirs);
        String value = AnswerHeaders.exposing(exposedBefore, now);
        response.setHeader(AnswerHeaders.EXPOSE, value);
        written.put(AnswerHeaders.EXPOSE, value);
    }
}
