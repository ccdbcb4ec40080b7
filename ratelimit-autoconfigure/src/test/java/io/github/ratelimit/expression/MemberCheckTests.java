/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InvalidExpressionException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** What may be there at run time is left to the call; what cannot be is refused when the application starts. */
class MemberCheckTests {

    private static final String METHOD = "order";

    private final Written written = new Written();
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order   | #order.giver # a subclass may have it",
                "order   | #order.giverOf('x').name # a subclass may have it",
                "order   | #tenantId?.trim()?.length()",
                "order   | #tenantId.concat('a').substring(1, 2)",
                "order   | #tenantId.substring('1') # converted",
                "order   | #tenantId.format('%s %s', 1, 2) # variable arguments",
                "order   | #tenantId.format('none')",
                "order   | #tenantId.getClass().getSimpleName() # a class has the statics of another one",
                "order   | #tenantId.bytes.length",
                "order   | #tenantId.CASE_INSENSITIVE_ORDER.toString()",
                "order   | #order.customer.id()",
                "order   | #order.customer.equals(#order)",
                "order   | #caller.header('X-Api-Key').toLowerCase()",
                "order   | #caller.toString()",
                "number  | #id.longValue()",
                "number  | #boxed.intValue()",
                "values  | #value.nobodyKnows(1)",
                "values  | #map.entry.deeper",
                "values  | #list.size().toString()",
                "values  | #list.?[#this.nobodyKnows(#root)].![toString()]",
                "values  | #array.class.name",
                "values  | #array[0].length()",
                "level   | #plan.get().length()",
                "level   | #plan?.length() # newer SpEL looks inside",
                "level   | #level.declaringClass.simpleName",
                "level   | #id.getMostSignificantBits()",
                "order   | T(String).join('-', #tenantId, 'x')",
                "order   | T(java.lang.Math).max(1, 2).toString()",
                "order   | T(int).name",
                "order   | T(String[]).getSimpleName()",
                "order   | T(java.time.DayOfWeek).MONDAY.name()",
                "order   | T(java.util.Map.Entry).comparingByKey().toString()",
                "order   | #tenantId instanceof T(String) ? 'a' : 'b'",
            },
            ignoreLeadingAndTrailingWhitespace = true)
    void acceptsWhatMayBeThere(String method, String source) {
        assertThatCode(() -> written.key(source.replaceFirst(" +# .*", ""), method))
                .doesNotThrowAnyException();
    }

    @Test
    void beanThatIsThereShowsAllItsMethods() {
        beans.registerSingleton("tenants", new Tenants());
        beans.registerAlias("tenants", "t");

        assertThatCode(() -> key("@tenants.of(#tenantId)")).doesNotThrowAnyException();
        assertThatCode(() -> key("@tenants.all('a', 'b', #tenantId)")).doesNotThrowAnyException();
        assertThatCode(() -> key("@tenants.all()")).doesNotThrowAnyException();
        assertThatCode(() -> key("@tenants.home.toString()")).doesNotThrowAnyException();
        assertThatThrownBy(() -> key("@tenants.nosuch(#tenantId)"))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining("reads 'nosuch(#tenantId)', which " + Tenants.class.getTypeName());
        assertThatThrownBy(() -> key("@t.of()")).hasMessageContaining("takes: of(String).");
        assertThatThrownBy(() -> key("#tenantId + @tenants.of(1, 2)")).hasMessageContaining("reads 'of(1,2)'");
        assertThatThrownBy(() -> key("@tenants.later(#tenantId)"))
                .hasMessageContaining("is a java.util.concurrent.CompletableFuture, whose value is not there yet");
        assertThatCode(() -> key("@tenants.later(#tenantId).join()")).doesNotThrowAnyException();
        assertThatThrownBy(() -> key("@tenants.hom")).hasMessageContaining("reads 'hom'");
        assertThatThrownBy(() -> key("@tenants.of(#tenantId).size()")).hasMessageContaining("java.lang.String");
    }

    @Test
    void beanThatIsNotThereYetMayBeOfASubclass() {
        AtomicInteger made = new AtomicInteger();
        beans.registerBeanDefinition("lazy", new RootBeanDefinition(Tenants.class, () -> {
            made.incrementAndGet();
            return new LargeTenants();
        }));

        assertThatCode(() -> key("@lazy.nosuch()")).doesNotThrowAnyException();
        assertThat(made).hasValue(0);
    }

    @Test
    void beanOfAFinalClassIsKnownBeforeItIsThere() {
        AtomicInteger made = new AtomicInteger();
        beans.registerBeanDefinition("lazy", new RootBeanDefinition(FinalTenants.class, () -> {
            made.incrementAndGet();
            return new FinalTenants();
        }));

        assertThatCode(() -> key("@lazy.of()")).doesNotThrowAnyException();
        assertThatThrownBy(() -> key("@lazy.nosuch()")).hasMessageContaining("reads 'nosuch()'");
        assertThat(made).hasValue(0);
    }

    @Test
    void whatFactoriesMakeProxiesOfInterfacesAndMapsAreLeftToTheCall() {
        beans.registerSingleton("made", new Factory());
        beans.registerSingleton(
                "proxy",
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Runnable.class},
                        (proxy, method, arguments) -> null));
        beans.registerSingleton("map", new HashMap<String, String>());

        assertThatCode(() -> key("@made.nosuch()")).doesNotThrowAnyException();
        assertThatCode(() -> key("@proxy.nosuch()")).doesNotThrowAnyException();
        assertThatCode(() -> key("@map.entry")).doesNotThrowAnyException();
    }

    private void key(String source) {
        var unused = written.expressions(beans).key(source, Written.method(METHOD));
    }

    static class Tenants {
        public String home = "home";

        public String of(String id) {
            return id;
        }

        public CompletableFuture<String> later(String id) {
            return CompletableFuture.completedFuture(id);
        }

        public String all(String... ids) {
            return String.join(",", ids);
        }
    }

    static final class LargeTenants extends Tenants {
        public String nosuch() {
            return "there";
        }
    }

    static final class FinalTenants {
        public String of() {
            return "there";
        }
    }

    static final class Factory implements FactoryBean<Tenants> {
        @Override
        public Tenants getObject() {
            return new LargeTenants();
        }

        @Override
        public Class<?> getObjectType() {
            return Tenants.class;
        }
    }
}
