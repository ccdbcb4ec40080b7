/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.reactive;

import io.github.ratelimit.Decision;
import io.github.ratelimit.limiter.ServedRequest;
import io.github.ratelimit.web.AnswerHeaders;
import io.github.ratelimit.web.Refusal;
import io.github.ratelimit.web.RequestDecisions;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/** A request to WebFlux that is being served, and what was decided for it. */
public final class ReactiveExchange implements ServedRequest {

    static final String ATTRIBUTE = ReactiveExchange.class.getName();

    private final ServerWebExchange exchange;
    private final RequestDecisions decisions = new RequestDecisions();
    private volatile @Nullable ServerWebExchange met;
    private volatile boolean refused;

    ReactiveExchange(ServerWebExchange exchange) {
        this.exchange = exchange;
    }

    /** What is known of a request; null when it did not come through our filter. */
    static @Nullable ReactiveExchange of(ServerWebExchange exchange) {
        return exchange.getAttribute(ATTRIBUTE);
    }

    /** The request and its answer, as they came through our filter. */
    public ServerWebExchange exchange() {
        return exchange;
    }

    /** Meets the request as filters have made it; whether it is not as it was met before. */
    boolean meet(ServerWebExchange now) {
        boolean changed = met != now;
        met = now;
        return changed;
    }

    /** The request as it was met last; until then as it came. */
    ServerWebExchange met() {
        ServerWebExchange last = met;
        return last == null ? exchange : last;
    }

    @Override
    public void onDecision(Decision decision) {
        decisions.add(decision);
        refused |= decision instanceof Decision.Denied;
    }

    @Override
    public void lacksKey() {
        refused = true;
    }

    /** Looks at a failure: it may be a refusal that another thread was given. */
    void see(Throwable failure) {
        refused |= Refusal.of(failure) != null;
    }

    /** Takes in what refused the request, wherever that was decided. */
    void hear(Refusal refusal) {
        refused = true;
        decisions.add(refusal);
    }

    /** Whether a call of this request was refused, whatever became of that. */
    boolean refused() {
        return refused;
    }

    /** Writes the headers, and leaves alone what the application wrote itself. */
    void writeHeaders(AnswerHeaders headers) {
        ServerHttpResponse response = exchange.getResponse();
        HttpStatusCode status = response.getStatusCode();
        Map<String, String> now = headers.of(decisions, status == null ? 200 : status.value());
        HttpHeaders answer = response.getHeaders();
        now.forEach((name, value) -> {
            if (answer.getFirst(name) == null) {
                answer.set(name, value);
            }
        });
        if (headers.exposed() && !now.isEmpty()) {
            answer.set(
                    AnswerHeaders.EXPOSE,
                    AnswerHeaders.exposing(String.join(", ", HeaderLines.of(answer, AnswerHeaders.EXPOSE)), now));
        }
    }
}
