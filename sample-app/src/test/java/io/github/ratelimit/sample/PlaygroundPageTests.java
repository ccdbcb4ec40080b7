/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.testredis.RedisServer;
import io.github.ratelimit.testredis.WithRedis;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.logging.LogType;

/** The playground in a real browser. Its pictures, in {@code target/pictures}, are there to be looked at. */
@Tag("browser")
@WithRedis
class PlaygroundPageTests {

    private static final Pattern REQUEST = Pattern.compile("\"url\":\"((?:https?|wss?):[^\"]*)\"");

    private static Sample servlet;
    private static Sample reactive;
    private static Browser browser;

    @BeforeAll
    static void start(RedisServer redis) throws IOException {
        servlet = Sample.on(redis);
        reactive = Sample.on(redis, "--spring.profiles.active=reactive");
        browser = Browser.start();
    }

    @AfterAll
    static void stop() throws IOException {
        browser.close();
        servlet.close();
        reactive.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void showsTheNumbersThatTheCountersHave(boolean onServlets) throws Exception {
        Sample sample = onServlets ? servlet : reactive;
        browser.open(sample.port(), 1400, "light");
        for (String pattern : List.of("STEADY", "BURST", "WINDOW_EDGE", "OVERLOAD")) {
            long[][] before = PlaygroundCounters.of(sample.http());
            browser.choose(pattern);

            assertThat(browser.play()).as(pattern).startsWith("Played ");
            browser.picture("played-" + pattern);

            long[][] after = PlaygroundCounters.of(sample.http());
            for (int lane = 0; lane < PlaygroundCounters.LIMITS.size(); lane++) {
                assertThat(browser.shown(lane, "allowed"))
                        .as("%s, %s: allowed", pattern, PlaygroundCounters.LIMITS.get(lane))
                        .isEqualTo(Long.toString(after[lane][0] - before[lane][0]));
                assertThat(browser.shown(lane, "denied"))
                        .as("%s, %s: denied", pattern, PlaygroundCounters.LIMITS.get(lane))
                        .isEqualTo(Long.toString(after[lane][1] - before[lane][1]));
            }
        }
    }

    @Test
    void theWindowEdgeShowsAndTheLeakyBucketIsSmooth() {
        browser.open(servlet.port(), 1400, "light");
        browser.choose("WINDOW_EDGE");

        assertThat(browser.play()).startsWith("Played 40 calls on each limit");

        assertThat(browser.shown(0, "busiest")).isEqualTo("20 of 10");
        assertThat(browser.shown(1, "busiest")).isEqualTo("10 of 10");
        assertThat(browser.shown(2, "busiest")).isEqualTo("10 of 10");
        assertThat(Integer.parseInt(browser.shown(3, "busiest").replace(" of 10", "")))
                .isBetween(9, 11);
        assertThat(columns(0, "went")).as("clumps, an even flow").isPositive().isLessThan(columns(3, "went") / 2);
        assertThat(columns(1, "denied")).isPositive();
        for (int lane = 0; lane < PlaygroundCounters.LIMITS.size(); lane++) {
            assertThat(columns(lane, "level"))
                    .as(PlaygroundCounters.LIMITS.get(lane))
                    .isGreaterThan(100);
        }
        assertThat(browser.shown(0, "headers")).contains("HTTP 200", "X-RateLimit-Remaining: 0");
        assertThat(browser.shown(1, "headers")).contains("HTTP 429", "Retry-After: ");
    }

    @Test
    void needsNoMouse() {
        browser.open(servlet.port(), 1400, "light");
        browser.press(Keys.TAB, Keys.chord(Keys.CONTROL, "a"), "4");
        browser.press(Keys.TAB, Keys.chord(Keys.CONTROL, "a"), "500");
        browser.press(Keys.TAB, Keys.TAB, Keys.chord(Keys.CONTROL, "a"), "5");
        browser.press(Keys.TAB, Keys.ARROW_RIGHT);
        assertThat(outlineOfFocus("input:focus-visible + span")).isNotEqualTo("none");
        browser.press(Keys.TAB);
        assertThat(outlineOfFocus(":focus-visible")).isNotEqualTo("none");
        browser.press(Keys.ENTER);

        assertThat(browser.awaitEnd()).startsWith("Played 120 calls");

        browser.press(Keys.ENTER);
        browser.press(Keys.TAB, Keys.ENTER);
        assertThat(browser.awaitEnd()).startsWith("Played ").doesNotStartWith("Played 120");
    }

    @Test
    void aRefusedRunSaysWhy() {
        browser.open(servlet.port(), 1400, "light");
        browser.set("period", 500);
        browser.set("permits", 40);

        browser.run("document.getElementById('play').click()");

        assertThat(browser.awaitEnd())
                .isEqualTo("Not played: The playground plays up to 20 permits a second: "
                        + "take at most 10 permits, or a longer period.");
    }

    @ParameterizedTest
    @CsvSource({"1400, light", "1400, dark", "800, light", "360, light", "360, dark"})
    void fitsAndStaysInPlace(int width, String scheme) throws Exception {
        browser.log(LogType.BROWSER);
        browser.log(LogType.PERFORMANCE);
        browser.open(servlet.port(), width, scheme);
        browser.run("""
                window.shifted = [];
                const name = source => source.node?.parentElement?.className + ' ' + source.node?.nodeName
                    + ' ' + JSON.stringify(source.previousRect) + JSON.stringify(source.currentRect);
                new PerformanceObserver(list => list.getEntries().forEach(
                        each => window.shifted.push(each.value, ...each.sources.map(name))))
                    .observe({ type: 'layout-shift', buffered: true });
                """);

        assertThat(browser.play()).startsWith("Played ");

        for (String pattern : List.of("STEADY", "BURST", "OVERLOAD", "WINDOW_EDGE")) {
            browser.choose(pattern);
            browser.awaitFrame();
        }
        browser.picture(width + "-" + scheme);
        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo((long) width);
        assertThat((List<?>) browser.run("return window.shifted")).isEmpty();
        assertThat(browser.log(LogType.BROWSER)).isEmpty();
        assertThat(browser.log(LogType.PERFORMANCE).stream()
                        .filter(entry -> entry.contains("requestWillBeSent\""))
                        .flatMap(entry -> REQUEST.matcher(entry).results())
                        .map(request -> request.group(1)))
                .isNotEmpty()
                .allSatisfy(url -> assertThat(url).startsWith("http://localhost:" + servlet.port() + "/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void textAndColoursStandOut(String scheme) {
        browser.open(servlet.port(), 1400, scheme);

        List<?> weakest = (List<?>) browser.run("""
                const light = colour => {
                  const parts = colour.match(/\\w\\w/g).map(part => parseInt(part, 16) / 255)
                      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
                };
                const style = getComputedStyle(document.documentElement);
                const value = name => light(style.getPropertyValue('--' + name).trim());
                const contrast = (one, other) =>
                    (Math.max(value(one), value(other)) + 0.05) / (Math.min(value(one), value(other)) + 0.05);
                const texts = ['ink', 'quiet', 'went', 'denied', 'warn'];
                const marks = ['went', 'denied', 'level', 'edge', 'field', 'focus'];
                return [Math.min(contrast('on-accent', 'accent'),
                        ...texts.map(text => contrast(text, 'page')), ...texts.map(text => contrast(text, 'card'))),
                    Math.min(contrast('field', 'page'), contrast('focus', 'page'),
                        ...marks.map(mark => contrast(mark, 'card')))];
                """);

        assertThat(((Number) weakest.get(0)).doubleValue()).as("text").isGreaterThanOrEqualTo(4.5);
        assertThat(((Number) weakest.get(1)).doubleValue())
                .as("borders, bars and lines")
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void movesLittleForWhoAsksForIt() {
        browser.open(servlet.port(), 1400, "light");
        browser.prefer("prefers-reduced-motion", "reduce");
        browser.run("""
                window.drawn = 0;
                const clear = CanvasRenderingContext2D.prototype.clearRect;
                CanvasRenderingContext2D.prototype.clearRect = function (...box) { window.drawn++; clear.apply(this, box); };
                """);
        browser.set("period", 500);
        browser.set("permits", 5);

        assertThat(browser.play()).startsWith("Played ");

        assertThat((Long) browser.run("return window.drawn")).isLessThan(5 * 12);
    }

    /** How many columns of a lane's timeline have this colour. */
    private static int columns(int lane, String colour) {
        Object columns = browser.run("""
                const canvas = document.querySelectorAll('canvas')[arguments[0]];
                const wanted = getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[1])
                    .match(/\\w\\w/g).map(part => parseInt(part, 16));
                const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                const columns = new Set();
                for (let at = 0; at < pixels.length; at += 4) {
                  if (wanted.every((part, i) => Math.abs(part - pixels[at + i]) < 40) && pixels[at + 3] > 200) {
                    columns.add(at / 4 % canvas.width);
                  }
                }
                return columns.size;
                """, lane, colour);
        return ((Number) columns).intValue();
    }

    private static Object outlineOfFocus(String selector) {
        return browser.run("return getComputedStyle(document.querySelector(arguments[0])).outlineStyle", selector);
    }
}
