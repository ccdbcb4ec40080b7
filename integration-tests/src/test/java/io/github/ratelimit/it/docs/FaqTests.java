/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.it.docs.Page.Block;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Each message of {@code docs/faq.md} is what the example above it brings about. */
@ExtendWith(OutputCaptureExtension.class)
class FaqTests {

    private static final Page PAGE = Page.of("docs/faq.md");

    @TempDir
    static Path compiled;

    @TempDir
    Path directory;

    @BeforeAll
    static void compile() throws IOException {
        CompiledPage.compile(PAGE.blocks(), compiled);
    }

    @ParameterizedTest
    @MethodSource("sections")
    void exampleBringsTheMessageAbout(String section, CapturedOutput output) throws Exception {
        List<Block> blocks = PAGE.blocks().stream()
                .filter(block -> block.section().equals(section))
                .toList();
        StringBuilder said = new StringBuilder();
        try (CompiledPage page = CompiledPage.in(compiled)) {
            CopiedBlocks copied = CopiedBlocks.of(blocks, page, directory)
                    .with(isAboutRedis(blocks) ? CopiedBlocks.Whole.class : CopiedBlocks.Least.class);
            try (ConfigurableApplicationContext context = copied.run()) {
                copied.classes().forEach(type -> said.append(callWithNothing(context, type)));
            } catch (RuntimeException refused) {
                assertThat(output).contains("APPLICATION FAILED TO START");
            }
        }
        String all = inOneLine(said.insert(0, output).toString());
        assertThat(messages(blocks))
                .isNotEmpty()
                .allSatisfy(message -> assertThat(all).contains(message));
    }

    private static boolean isAboutRedis(List<Block> blocks) {
        return blocks.stream().anyMatch(block -> block.code().contains("store: redis"));
    }

    private static List<String> messages(List<Block> blocks) {
        return blocks.stream()
                .filter(block -> block.language().equals("text"))
                .flatMap(block -> block.code().lines())
                .map(FaqTests::inOneLine)
                .toList();
    }

    private static String inOneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** Calls each limited method with null for everything, and tells what it throws. */
    private static String callWithNothing(ConfigurableApplicationContext context, Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(RateLimited.class))
                .map(method -> call(context.getBean(type), method))
                .collect(Collectors.joining());
    }

    private static String call(Object bean, Method method) {
        try {
            method.setAccessible(true);
            return String.valueOf(method.invoke(bean, new Object[method.getParameterCount()]));
        } catch (InvocationTargetException thrown) {
            return String.valueOf(thrown.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<String> sections() {
        return PAGE.blocks().stream()
                .filter(block -> block.language().equals("text"))
                .map(Block::section)
                .distinct();
    }
}
