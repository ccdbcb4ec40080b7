/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.playground;

import io.github.ratelimit.InvalidLimitException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** Plays traffic for the page, one run per session, and tells it as server-sent events while it happens. */
@RestController
class PlaygroundController {

    private static final int MOST_RUNS = 8;

    private final RateLimitStore store;
    private final ObjectProvider<RateLimitListener> listeners;
    private final Map<String, Run> runs = new LinkedHashMap<>();

    PlaygroundController(RateLimitStore store, ObjectProvider<RateLimitListener> listeners) {
        this.store = store;
        this.listeners = listeners;
    }

    /** Plays; a run of the same session that is still under way ends. */
    @GetMapping(path = "/playground/run", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<Object>> run(
            @RequestParam String session,
            @RequestParam Pattern pattern,
            @RequestParam int permits,
            @RequestParam int period,
            @RequestParam int burst,
            @RequestParam int slots) {
        Numbers numbers = new Numbers(permits, period, burst, slots);
        List<RateLimitListener> hearing = listeners.orderedStream().toList();
        Run run = new Run(store, hearing, numbers, pattern);
        begin(checked(session), run);
        return Flux.concat(
                        Flux.just(event("start", run.start())),
                        run.frames().map(frame -> event("frame", frame)).doFinally(signal -> end(session, run)),
                        Flux.just(event("end", new Frame.End(null))))
                .onErrorResume(failure -> Flux.just(event("end", new Frame.End(String.valueOf(failure.getMessage())))))
                .doFinally(signal -> end(session, run));
    }

    /** Ends a session's run, with the frame that is under way. */
    @PostMapping("/playground/stop")
    void stop(@RequestParam String session) {
        synchronized (runs) {
            Run run = runs.get(session);
            if (run != null) {
                run.stop();
            }
        }
    }

    @ExceptionHandler({NotPlayableException.class, InvalidLimitException.class})
    ResponseEntity<String> notAccepted(RuntimeException mistake) {
        return text(HttpStatus.BAD_REQUEST, mistake);
    }

    @ExceptionHandler
    ResponseEntity<String> full(TooManyRunsException full) {
        return text(HttpStatus.SERVICE_UNAVAILABLE, full);
    }

    private void begin(String session, Run run) {
        synchronized (runs) {
            Run former = runs.get(session);
            if (former == null && runs.size() >= MOST_RUNS) {
                throw new TooManyRunsException();
            }
            if (former != null) {
                former.stop();
            }
            runs.put(session, run);
        }
    }

    private void end(String session, Run run) {
        synchronized (runs) {
            runs.remove(session, run);
        }
    }

    private static String checked(String session) {
        if (!session.matches("[A-Za-z0-9-]{1,40}")) {
            throw new NotPlayableException("session: up to 40 letters, digits and hyphens.");
        }
        return session;
    }

    private static ServerSentEvent<Object> event(String name, Object data) {
        return ServerSentEvent.builder(data).event(name).build();
    }

    private static ResponseEntity<String> text(HttpStatus status, Exception reason) {
        return ResponseEntity.status(status).contentType(MediaType.TEXT_PLAIN).body(reason.getMessage());
    }

    /** As many visitors play as the sample takes. */
    private static final class TooManyRunsException extends RuntimeException {

        private static final long serialVersionUID = 1;

        TooManyRunsException() {
            super("Everybody plays already: try again in a few seconds.");
        }
    }
}
