/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InvalidRateLimitKeyException;
import io.github.ratelimit.expression.Shop.Customer;
import io.github.ratelimit.expression.Shop.GiftOrder;
import io.github.ratelimit.expression.Shop.Hidden;
import io.github.ratelimit.expression.Shop.Level;
import io.github.ratelimit.expression.Shop.Order;
import io.github.ratelimit.expression.Written.Request;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyExpressionTests {

    private static final Order ORDER = new Order(new Customer("c7", 7, true), 3);

    private final Written written = new Written();

    /** A bean. */
    @SuppressWarnings("unused")
    public static class Tenants {

        public String of(String id) {
            return "tenant of " + id;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            quoteCharacter = '~',
            value = {
                "#tenantId = acme",
                "#p0 = acme",
                "#a0 = acme",
                "${tenant.key} = acme",
                "#order.customer.id = c7",
                "#order.customer.id() = c7",
                "#order?.customer?.id = c7",
                "#p1.getCustomer().number = 7",
                "#order.customer.vip = true",
                "#order.large = false",
                "#order.note = by hand",
                "#tenantId.length() = 4",
                "#tenantId.concat('!') = acme!",
                "#tenantId.toUpperCase() = ACME",
                "#tenantId + ':' + #order.size = acme:3",
                "#tenantId.startsWith('a') ? 'a' : 'b' = a",
                "'fixed' = fixed",
                "{#tenantId, #order.customer.id} = [acme,c7]",
                "{#tenantId, {#order.size, 'x'}} = [acme,[3,x]]",
                "{'a': #tenantId} = [[a,acme]]",
                "@tenants.of(#tenantId) = tenant of acme",
                "T(Math).max(#order.size, 5) = 5",
                "new String(#tenantId) = acme",
            })
    void keyIsWhatSpelWouldSay(String source, String key) {
        ORDER.note = "by hand";
        written.bean("tenants", new Tenants());
        KeyExpression expression = written.key(source.strip(), "order");

        for (int i = 0; i < 100; i++) { // interpreted, then compiled
            assertThat(expression.keyOf(Written.call("order", "acme", ORDER))).isEqualTo(key.strip());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.customer.id",
                "#order?.customer.number",
                "#order.large",
                "#order.note",
                "#tenantId.length()",
                "#order.getCustomer().id()",
                "#caller.address",
                "#caller.header('X-Api-Key')"
            })
    void pathIsReadWithoutSpel(String source) {
        assertThat(Written.operand(source, "order")).isInstanceOf(PathOperand.class);
    }

    @Test
    void parameterCallerConstantAndListAreReadWithoutSpel() {
        assertThat(Written.operand("#tenantId", "order")).isInstanceOf(Operand.Argument.class);
        assertThat(Written.operand("'x'", "order")).isInstanceOf(Operand.Constant.class);
        assertThat(Written.operand("2 * 3", "order")).isEqualTo(new Operand.Constant(6));
        assertThat(Written.operand("{#tenantId, #p1.size}", "order")).isInstanceOf(CompositeOperand.class);
    }

    @Test
    void propertyOfTheRuntimeTypeIsLeftToSpel() {
        assertThat(Written.operand("#order.giver", "order")).isInstanceOf(SpelOperand.class);
        assertThat(written.keyOf("#order.giver", "order", "acme", new GiftOrder(null, 1)))
                .isEqualTo("aunt");
    }

    @Test
    void propertyOfATypeVariableIsFoundAtItsBound() {
        assertThat(Written.operand("#order.customer.id", "generic")).isInstanceOf(PathOperand.class);
        assertThat(written.keyOf("#order.customer.id", "generic", ORDER)).isEqualTo("c7");
    }

    @Test
    void entriesOfMapsAreRead() {
        Map<String, Object> body = Map.of("tenant", Map.of("id", 42));

        assertThat(written.keyOf("#map.tenant.id", "values", "v", List.of(), body))
                .isEqualTo("42");
        assertThat(written.keyOf("#map[tenant][id]", "values", "v", List.of(), body))
                .isEqualTo("42");
        assertThatThrownBy(() -> written.keyOf("#map.user", "values", "v", List.of(), body))
                .isInstanceOf(InvalidRateLimitKeyException.class)
                .hasMessageContaining("is null");
    }

    @Test
    void elementsMayBeSelectedAndProjected() {
        List<Order> list = List.of(ORDER, new Order(new Customer("c8", 8, false), 300));

        assertThat(written.keyOf("#list.?[large].![customer.id]", "values", "v", list))
                .isEqualTo("[c8]");
        assertThat(written.keyOf("#list.![#this.customer.id + #value]", "values", "v", list))
                .isEqualTo("[c7v,c8v]");
        assertThat(written.keyOf("#list[1].customer.id", "values", "v", list)).isEqualTo("c8");
    }

    @Test
    void otherTypesOfArguments() {
        UUID id = new UUID(3, 4);

        assertThat(written.keyOf("#id", "number", 42L, 1, 0.5)).isEqualTo("42");
        assertThat(written.keyOf("{#level, #plan, #id}", "level", Level.SILVER, Optional.of("p"), id))
                .isEqualTo("[SILVER,p," + id + "]");
        assertThat(written.keyOf("#array", "values", "v", List.of(), Map.of(), new String[] {"a", "b"}))
                .isEqualTo("[a,b]");
        assertThat(written.keyOf("#array.length", "values", "v", List.of(), Map.of(), new String[] {"a", "b"}))
                .isEqualTo("2");
        assertThat(written.keyOf("#hidden.id", "hidden", new Hidden("h"))).isEqualTo("h");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.customer.id",
                "#order?.customer?.id",
                "#order.customer.id + ''",
                "#order.getCustomer().id().trim()",
                "#order.giver"
            })
    void nullOnTheWayIsNoKey(String source) {
        KeyExpression expression = written.key(source, "order");

        for (int i = 0; i < 100; i++) {
            Invocation whole = Written.call("order", "acme", new GiftOrder(new Customer("c", 1, true), 1));
            assertThat(expression.keyOf(whole)).isNotEmpty();
            assertThatThrownBy(() -> expression.keyOf(Written.call("order", "acme", null)))
                    .isInstanceOf(InvalidRateLimitKeyException.class)
                    .hasMessageContaining("io.github.ratelimit.expression.Shop.order(String, Order): key = \"")
                    .hasMessageContaining("null");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   "})
    void blankIsNoKeyAndIsNotEchoed(String tenant) {
        assertThatThrownBy(() -> written.keyOf("#tenantId", "order", tenant, ORDER))
                .isInstanceOf(InvalidRateLimitKeyException.class)
                .hasMessage("io.github.ratelimit.expression.Shop.order(String, Order): key = \"#tenantId\" is blank."
                        + " A call without a key is refused: counted for nobody it would pass unlimited.");
    }

    @Test
    void indexThatIsNotThereIsNoKey() {
        assertThatThrownBy(() -> written.keyOf("#list[3]", "values", "v", List.of("a")))
                .isInstanceOf(InvalidRateLimitKeyException.class);
    }

    @Test
    void whatCallersSendIsNeverParsed() {
        assertThat(written.keyOf("#tenantId", "order", "#{T(java.lang.Runtime).getRuntime()}", ORDER))
                .isEqualTo("#{T(java.lang.Runtime).getRuntime()}");
        Map<String, Object> map = new HashMap<>();
        map.put("name", "${user.home}");
        assertThat(written.keyOf("#map.name + ''", "values", "v", List.of(), map))
                .isEqualTo("${user.home}");
    }

    @Test
    void callerIsTheOneOfTheThreadUnlessTheCallBringsOne() {
        written.callerIs(new Request("anna"));
        KeyExpression key = written.key("{#caller.principal, #caller.header('X-Api-Key')}", "order");
        Invocation call = Written.call("order", "acme", ORDER);

        assertThat(key.keyOf(call)).isEqualTo("[anna,secret]");
        assertThat(key.keyOf(call.withCaller(new Request("bob")))).isEqualTo("[bob,secret]");
        assertThat(written.keyOf("#caller.path + #caller.method", "nothing")).isEqualTo("/ordersPOST");
    }

    @Test
    void callerWithoutAPrincipalIsNoKey() {
        written.callerIs(new Request(null));

        assertThatThrownBy(() -> written.keyOf("#caller.principal", "order", "acme", ORDER))
                .isInstanceOf(InvalidRateLimitKeyException.class)
                .hasMessageContaining("key = \"#caller.principal\" is null");
        assertThatThrownBy(() -> written.keyOf("#caller.header('X-Other')", "order", "acme", ORDER))
                .isInstanceOf(InvalidRateLimitKeyException.class);
    }

    @Test
    void callOutsideARequestHasNoCaller() {
        assertThatThrownBy(() -> written.keyOf("#caller.address", "order", "acme", ORDER))
                .isInstanceOf(InvalidRateLimitKeyException.class)
                .hasMessageContaining("asks for #caller, but this call serves no web request");
    }

    @Test
    void ruleSeesTheCallerAndBeans() {
        KeyExpression key = written.bean("tenants", new Tenants())
                .expressions()
                .key("@tenants.of(#caller.principal)", "ratelimit.http.rules[0]");

        assertThat(key.keyOf(new Request("anna"))).isEqualTo("tenant of anna");
    }

    @Test
    void emptyExpressionIsOneCounterForEveryone() {
        assertThat(written.key("", "order").constant()).isEmpty();
        assertThat(written.keyOf("", "order", "acme", ORDER)).isEmpty();
        assertThat(written.key(" ${none:} ", "order").source()).isEmpty();
        assertThat(written.key("'fixed'", "order").constant()).isEqualTo("fixed");
        assertThat(written.key("#tenantId", "order").constant()).isNull();
    }

    @Test
    void parametersOfClassesCompiledWithoutNamesGoByNumber() throws NoSuchMethodException {
        Method nameless = String.class.getMethod("concat", String.class);
        KeyExpression key = written.expressions().key("#p0", nameless);

        assertThat(key.keyOf(new Invocation("x", String.class, nameless, new @Nullable Object[] {"acme"})))
                .isEqualTo("acme");
    }
}
