/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.annotation.RateLimited;
import java.lang.reflect.Method;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a nameless limit is called, and how its method is told to people. */
class NamesTests {

    @Test
    void comesFromTheClassThatDeclaresTheAnnotatedMethod() {
        assertThat(name(OrderController.class, "create")).isEqualTo("order-controller-create");
        assertThat(name(SpecialOrderController.class, "create")).isEqualTo("order-controller-create");
        assertThat(name(Overriding.class, "create")).isEqualTo("order-controller-create");
    }

    @Test
    void comesFromTheInterfaceForAnInterface() {
        assertThat(name(FirstClient.class, "fetch")).isEqualTo("client-api-fetch");
        assertThat(name(SecondClient.class, "fetch")).isEqualTo("client-api-fetch");
        assertThat(name(FirstClient.class, "drop")).isEqualTo("client-api-drop");
    }

    @Test
    void isOnePerMethodForANamelessClass() {
        assertThat(name(Whole.class, "one")).isEqualTo("whole-one");
        assertThat(name(Whole.class, "two")).isEqualTo("whole-two");
    }

    @Test
    void tellsClassesApartThatInheritOneMethodAndAreLimitedThemselves() {
        assertThat(name(Whole.class, "shared")).isEqualTo("whole-shared");
        assertThat(name(AlsoWhole.class, "shared")).isEqualTo("also-whole-shared");
        assertThat(name(BelowWhole.class, "three")).isEqualTo("below-whole-three");
    }

    @Test
    void isKebabCaseWhateverTheLetters() {
        assertThat(name(HTTPGateway2.class, "callURLOnce")).isEqualTo("http-gateway2-call-url-once");
        assertThat(name(HTTPGateway2.class, "snake_case")).isEqualTo("http-gateway2-snake-case");
        assertThat(name(HTTPGateway2.class, "gr\u00f6\u00dfe\u00c4ndern"))
                .isEqualTo("http-gateway2-gr\u00f6\u00dfe-\u00e4ndern");
    }

    @Test
    void writesParameterTypesOutOnlyWhereTheirSimpleNamesDoNotTellMethodsApart() throws Exception {
        String one = MethodText.of(HTTPGateway2.class.getDeclaredMethod("same", java.util.Date.class));
        String other = MethodText.of(HTTPGateway2.class.getDeclaredMethod("same", java.sql.Date.class));
        assertThat(one).endsWith("HTTPGateway2.same(java.util.Date)");
        assertThat(other).endsWith("HTTPGateway2.same(java.sql.Date)");
        assertThat(MethodText.of(HTTPGateway2.class.getDeclaredMethod("same", String.class)))
                .endsWith("HTTPGateway2.same(String)");
    }

    private static String name(Class<?> type, String name) {
        Method method = Methods.of(type).stream()
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        AnnotatedPlace place = Objects.requireNonNull(AnnotatedPlace.of(method, type));
        return MethodText.kebab(place.owner(), place.written());
    }

    static class OrderController {
        @RateLimited
        public void create() {}
    }

    static class SpecialOrderController extends OrderController {}

    static class Overriding extends OrderController {
        @Override
        public void create() {}
    }

    @RateLimited
    interface ClientApi {
        @RateLimited
        void fetch();

        void drop();
    }

    static class FirstClient implements ClientApi {
        @Override
        public void fetch() {}

        @Override
        public void drop() {}
    }

    static class SecondClient extends FirstClient {}

    static class Common {
        public void shared() {}
    }

    @RateLimited
    static class Whole extends Common {
        public void one() {}

        public void two() {}
    }

    @RateLimited
    static class AlsoWhole extends Common {}

    static class BelowWhole extends Whole {
        public void three() {}
    }

    static class HTTPGateway2 {
        @RateLimited
        public void callURLOnce() {}

        @RateLimited
        @SuppressWarnings("MethodName")
        public void snake_case() {}

        @RateLimited
        @SuppressWarnings("UnicodeInCode")
        public void größeÄndern() {}

        void same(java.util.Date date) {}

        void same(@SuppressWarnings("JavaUtilDate") java.sql.Date date) {}

        void same(String date) {}
    }
}
