/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.springframework.util.FileSystemUtils;

/** A headless Chromium that looks at the playground. */
final class Browser implements AutoCloseable {

    private static final Duration LONGEST_PLAY = Duration.ofSeconds(60);

    private final Path profile;
    private final ChromeDriver driver;

    private Browser(Path profile, ChromeDriver driver) {
        this.profile = profile;
        this.driver = driver;
    }

    /** Starts Debian's Chromium; other places by {@code -Dbrowser.binary} and {@code -Dbrowser.driver}. */
    static Browser start() throws IOException {
        Path profile = Files.createTempDirectory("browser-");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(System.getProperty("browser.binary", "/usr/bin/chromium"));
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(System.getProperty("browser.driver", "/usr/bin/chromedriver")))
                .usingAnyFreePort()
                .build();
        return new Browser(profile, new ChromeDriver(service, options));
    }

    /** Opens the page of a server on this machine, in a window of this width, in the light or in the dark. */
    void open(int port, int width, String scheme) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        prefer("prefers-color-scheme", scheme);
        driver.get("http://localhost:" + port + "/");
    }

    /** Sets a preference of the visitor's. */
    void prefer(String feature, String value) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    /** Presses keys, wherever the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Sets a number of the form. */
    void set(String name, int number) {
        WebElement field = driver.findElement(By.name(name));
        field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Integer.toString(number));
    }

    /** Chooses the traffic. */
    void choose(String pattern) {
        run("document.querySelector('input[value=' + arguments[0] + ']').click()", pattern);
    }

    /** Waits until what was changed is drawn. */
    void awaitFrame() {
        driver.executeAsyncScript("requestAnimationFrame(() => setTimeout(arguments[0], 50))");
    }

    /** Plays to the end, and tells what the page says then. */
    String play() {
        driver.findElement(By.id("play")).sendKeys(Keys.ENTER);
        return awaitEnd();
    }

    /** Waits until the play has ended, or was refused, and tells what the page says then. */
    String awaitEnd() {
        long begin = System.nanoTime();
        while (!status().contains("layed")) {
            if (System.nanoTime() - begin > LONGEST_PLAY.toNanos()) {
                throw new IllegalStateException("The page still says: " + status());
            }
            LockSupport.parkNanos(50_000_000);
        }
        return status();
    }

    String status() {
        return driver.findElement(By.id("status")).getText();
    }

    /** A number of a lane, by the class of its element. */
    String shown(int lane, String what) {
        return driver.findElements(By.cssSelector(".lane"))
                .get(lane)
                .findElement(By.className(what))
                .getText();
    }

    /** Runs a script. */
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** What the log of this kind has since it was last read. */
    List<String> log(String kind) {
        return driver.manage().logs().get(kind).getAll().stream()
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** Writes the whole page as a picture, to be looked at. */
    void picture(String name) throws IOException {
        Number height = (Number) run("return document.documentElement.scrollHeight");
        Number width = (Number) run("return innerWidth");
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        Path pictures = Files.createDirectories(Path.of("target", "pictures"));
        Files.write(pictures.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() throws IOException {
        driver.quit();
        FileSystemUtils.deleteRecursively(profile);
    }
}
