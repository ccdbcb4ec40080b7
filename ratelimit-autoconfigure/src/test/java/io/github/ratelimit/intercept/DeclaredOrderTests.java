/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static io.github.ratelimit.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

/** Limits are in the order in which their annotations are declared, composed ones among them. */
class DeclaredOrderTests {

    @Test
    void keepsTheOrderWhereverAComposedAnnotationStands() throws Exception {
        assertThat(names("composedFirst")).containsExactly("composed", "own");
        assertThat(names("composedLast")).containsExactly("own", "composed");
    }

    @Test
    void keepsTheOrderOfRepeatedOnes() throws Exception {
        assertThat(names("repeatedFirst")).containsExactly("one", "two", "composed");
        assertThat(names("repeatedLast")).containsExactly("composed", "one", "two");
        assertThat(names("composedTwice")).containsExactly("first", "second", "own");
    }

    @Test
    void keepsTheOrderOnAClass() throws Exception {
        assertThat(names("ofTheClass")).containsExactly("composed", "class");
    }

    @Test
    void firstOneDeclaredDecidesATie() {
        Gated.with(Tied.class).run(context -> {
            Tied bean = context.getBean(Tied.class);
            bean.call();
            Gated.assertDenied("z1", bean::call);
        });
    }

    @Test
    void tellsThatAComposedAnnotationCannotBeRead() {
        assertThatExceptionOfType(InvalidAnnotationException.class)
                .isThrownBy(() -> place(ComposedBadly.class, "call"))
                .withMessageContaining("ComposedBadly.call()")
                .withMessageContaining("cannot be read: Different @AliasFor mirror values")
                .withMessageContaining("Correct how the annotations pass their attributes on.");
    }

    private static List<String> names(String method) throws NoSuchMethodException {
        AnnotatedPlace place = place(Ordered.class, method);
        return place == null
                ? List.of()
                : place.annotations().stream().map(RateLimited::name).toList();
    }

    private static @Nullable AnnotatedPlace place(Class<?> type, String name) throws NoSuchMethodException {
        return AnnotatedPlace.of(type.getMethod(name), type);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimited("composed")
    @interface Composed {}

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(NamedLimits.class)
    @RateLimited
    @interface NamedLimit {
        @AliasFor(annotation = RateLimited.class, attribute = "name")
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface NamedLimits {
        NamedLimit[] value();
    }

    @Composed
    @RateLimited("class")
    static class Ordered {
        @Composed
        @RateLimited("own")
        public void composedFirst() {}

        @RateLimited("own")
        @Composed
        public void composedLast() {}

        @RateLimited("one")
        @RateLimited("two")
        @Composed
        public void repeatedFirst() {}

        @Composed
        @RateLimited("one")
        @RateLimited("two")
        public void repeatedLast() {}

        @NamedLimit("first")
        @NamedLimit("second")
        @RateLimited("own")
        public void composedTwice() {}

        public void ofTheClass() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimited(name = "z1", algorithm = FIXED_WINDOW, permits = 1, period = "1h")
    @interface OncePerHour {}

    static class Tied {
        @OncePerHour
        @RateLimited(name = "z2", algorithm = FIXED_WINDOW, permits = 1, period = "1h")
        public void call() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimited(value = "one", name = "two")
    @interface TwoNames {}

    static class ComposedBadly {
        @TwoNames
        public void call() {}
    }
}
