/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.ratelimit.InvalidAnnotationException;
import io.github.ratelimit.annotation.RateLimitExempt;
import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The most specific place wins as a whole: method, class, interface method, interface. */
class PlacesTests {

    @Test
    void takesTheMethodBeforeItsClass() {
        assertThat(names(Shop.class, "own")).containsExactly("method");
        assertThat(names(Shop.class, "plain")).containsExactly("class");
    }

    @Test
    void takesAllPublicMethodsOfAClassAndNoOthers() {
        assertThat(names(Shop.class, "inherited")).containsExactly("class");
        assertThat(names(Shop.class, "hidden")).isEmpty();
        assertThat(names(Shop.class, "helper")).isEmpty();
        assertThat(names(Shop.class, "toString")).isEmpty();
    }

    @Test
    void freesExemptMethodsOfAClass() {
        assertThat(names(Shop.class, "free")).isEmpty();
    }

    @Test
    void limitsAgainWhatASubclassStatesOverAnExemptMethod() {
        assertThat(names(LimitedAgain.class, "free")).containsExactly("again");
    }

    @Test
    void refusesToBeLimitedAndExemptAtOnce() {
        assertThatExceptionOfType(InvalidAnnotationException.class)
                .isThrownBy(() -> place(Torn.class, "torn"))
                .withMessageContaining("Torn.torn()")
                .withMessageContaining("Remove one of them.");
    }

    @Test
    void inheritsFromTheOverriddenMethodAndFromTheSuperclass() {
        assertThat(names(SubShop.class, "own")).containsExactly("method");
        assertThat(names(SubShop.class, "more")).containsExactly("class");
    }

    @Test
    void takesWhatAnOverridingMethodStatesInsteadOfWhatItOverrides() {
        assertThat(names(Overriding.class, "own")).containsExactly("nearer", "nearest");
        assertThat(names(LimitedBelow.class, "more")).containsExactly("below");
    }

    @Test
    void takesTheInterfaceMethodBeforeTheInterface() {
        assertThat(names(ApiImpl.class, "stated")).containsExactly("interface-method");
        assertThat(names(ApiImpl.class, "other")).containsExactly("interface");
        assertThat(names(ApiImpl.class, "unrelated")).isEmpty();
    }

    @Test
    void takesTheClassBeforeAnythingOnAnInterface() {
        assertThat(names(LimitedApiImpl.class, "stated")).containsExactly("class");
    }

    @Test
    void findsTheInterfaceOfASubclassWhoseMethodIsInherited() {
        assertThat(names(Late.class, "stated")).containsExactly("interface-method");
        assertThat(names(Late.class, "other")).containsExactly("interface");
    }

    /** The compiler copies annotations to the bridge, {@code Object make()}. */
    @Test
    void countsAnInheritedLimitOnceThatTheCompilerHasPutOnABridgeToo() {
        assertThat(names(CachedReports.class, "make")).containsExactly("reports");
        assertThat(names(StatedReports.class, "make")).containsExactly("stated");
        assertThat(names(FreeReports.class, "make")).isEmpty();
    }

    @Test
    void findsGenericMethodsBehindTheirBridges() {
        assertThat(names(Texts.class, "store")).containsExactly("generic");
        assertThat(place(Texts.class, "store"))
                .extracting(place -> place.method().getParameterTypes()[0])
                .isEqualTo(String.class);
        Method bridge = Arrays.stream(Texts.class.getDeclaredMethods())
                .filter(Method::isBridge)
                .findFirst()
                .orElseThrow();
        assertThat(AnnotatedPlace.of(bridge, Texts.class)).isNotNull();
    }

    @Test
    void takesDefaultMethodsOfInterfaces() {
        assertThat(names(ApiImpl.class, "byDefault")).containsExactly("default");
    }

    private static List<String> names(Class<?> type, String method) {
        AnnotatedPlace place = place(type, method);
        return place == null
                ? List.of()
                : place.annotations().stream().map(RateLimited::name).toList();
    }

    private static @Nullable AnnotatedPlace place(Class<?> type, String name) {
        Method method = Methods.of(type).stream()
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return AnnotatedPlace.of(method, type);
    }

    static class Base {
        public void inherited() {}
    }

    @RateLimited("class")
    static class Shop extends Base {
        @RateLimited("method")
        public void own() {}

        public void plain() {}

        void hidden() {}

        public static void helper() {}

        @RateLimitExempt
        public void free() {}

        @Override
        public String toString() {
            return "shop";
        }
    }

    static class Overriding extends Shop {
        @Override
        @RateLimited("nearer")
        @RateLimited("nearest")
        public void own() {}
    }

    @RateLimited("below")
    static class LimitedBelow extends SubShop {}

    static class SubShop extends Shop {
        @Override
        public void own() {}

        public void more() {}
    }

    static class LimitedAgain extends Shop {
        @Override
        @RateLimited("again")
        public void free() {}
    }

    static class Torn {
        @RateLimited("torn")
        @RateLimitExempt
        public void torn() {}
    }

    @RateLimited("interface")
    interface Api {
        @RateLimited("interface-method")
        void stated();

        void other();

        @RateLimited("default")
        default void byDefault() {}
    }

    static class ApiImpl implements Api {
        @Override
        public void stated() {}

        @Override
        public void other() {}

        public void unrelated() {}
    }

    @RateLimited("class")
    static class LimitedApiImpl extends ApiImpl {}

    static class Early {
        public void stated() {}

        public void other() {}
    }

    static class Late extends Early implements Api {}

    interface Store<T> {
        @RateLimited("generic")
        void store(T value);
    }

    interface Making<T> {
        T make();
    }

    static class Reports implements Making<String> {
        @Override
        @RateLimited("reports")
        public String make() {
            return "report";
        }
    }

    static class CachedReports extends Reports {
        @Override
        public String make() {
            return "cached";
        }
    }

    interface StatedMaking extends Making<String> {
        @Override
        @RateLimited("stated")
        String make();
    }

    static class StatedReports implements StatedMaking {
        @Override
        public String make() {
            return "stated";
        }
    }

    static class ExemptReports extends Reports {
        @Override
        @RateLimitExempt
        public String make() {
            return "exempt";
        }
    }

    static class FreeReports extends ExemptReports {
        @Override
        public String make() {
            return "free";
        }
    }

    static class Texts implements Store<String> {
        @Override
        public void store(String value) {}
    }
}
