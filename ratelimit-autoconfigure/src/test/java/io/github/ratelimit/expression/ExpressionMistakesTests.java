/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.ratelimit.InvalidExpressionException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionMistakesTests {

    private final Written written = new Written();

    @Test
    void namesPlaceAttributeValueProblemAndRemedy() {
        InvalidExpressionException mistake =
                catchThrowableOfType(InvalidExpressionException.class, () -> written.key("#tenant", "order"));

        assertThat(mistake.place()).isEqualTo("io.github.ratelimit.expression.Shop.order(String, Order)");
        assertThat(mistake.attribute()).isEqualTo("key");
        assertThat(mistake.value()).isEqualTo("#tenant");
        assertThat(mistake.problem()).isEqualTo("uses the unknown variable '#tenant'");
        assertThat(mistake.remedy())
                .isEqualTo("The parameters are #tenantId, #order; also #caller, and beans as @name.");
        assertThat(mistake)
                .hasMessage("io.github.ratelimit.expression.Shop.order(String, Order): key = \"#tenant\""
                        + " uses the unknown variable '#tenant'."
                        + " The parameters are #tenantId, #order; also #caller, and beans as @name.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order   | #order.customer.(     | cannot be parsed",
                "order   | #{#tenantId}          | Write the expression without #{ }",
                "order   | #unknown.id           | unknown variable '#unknown'",
                "order   | {#tenantId, #nobody}  | unknown variable '#nobody'",
                "order   | #tenantId + #p2       | unknown variable '#p2'",
                "values  | #list.?[#this == #no] | unknown variable '#no'",
                "values  | #list[#no]            | unknown variable '#no'",
                "nothing | #tenantId             | There are no parameters",
                "order   | #this                 | '#this', which is there only inside",
                "order   | #root.method          | '#root', which is there only inside",
                "taken   | #root                 | Write #p0 for the parameter, or give it another name",
                "taken   | #nobody               | The parameters are #p0, #tenantId; also #caller",
                "order   | tenantId              | contains 'tenantId', which belongs to nothing",
                "order   | tenantId.length()     | Write #name for a parameter, or 'tenantId' if it is meant as text",
                "order   | #tenantId.concat(x)   | contains 'x', which belongs to nothing",
                "order   | planOf(#tenantId)     | @bean.planOf(#tenantId) for a method of a bean",
                "order   | #planOf(#tenantId)    | calls a function",
                "order   | #tenantId = 'x'       | changes a value",
                "order   | #order.size++         | changes a value",
                "order   | @tenants.of(#p0)      | asks for the bean 'tenants', and there is none of this name",
                "order   | #order.customer.name  | reads 'name', which io.github.ratelimit.expression.Shop$Customer does not have",
                "order   | #tenantId.size()      | reads 'size()', which java.lang.String does not have",
                "values  | #array.size           | reads 'size', which java.lang.String[] does not have",
                "number  | #id.value             | reads 'value', which long does not have",
                "order   | #tenantId.substring('a','b','c') | reads 'substring('a','b','c')', which java.lang.String",
                "order   | #tenantId.substring('a','b','c') | arguments it takes: substring(int), substring(int, int).",
                "order   | #tenantId.trm().length() | reads 'trm()', which java.lang.String does not have",
                "order   | #caller.headr('X')    | reads 'headr('X')', which io.github.ratelimit.expression.Caller does not",
                "order   | #caller.header('X',3) | Write it with the arguments it takes: header(String).",
                "order   | #caller.header('X').id | reads 'id', which java.lang.String does not have",
                "order   | {#tenantId, #caller.headr('X')} | reads 'headr('X')'",
                "order   | #tenantId + #caller.adress | reads 'adress', which io.github.ratelimit.expression.Caller",
                "order   | T(nosuch.Type).x()    | names the type T(nosuch.Type), and there is none of this name",
                "order   | T(nosuch).x()         | names the type T(nosuch), and there is none of this name",
                "order   | T(java.time.LocalDate).nw() | reads 'nw()', which java.time.LocalDate does not have",
                "opaque  | #opaque               | is a io.github.ratelimit.expression.Shop$Opaque, which has no text of its own",
                "opaque  | #many                 | which has no text of its own",
                "order   | #caller               | is a io.github.ratelimit.expression.Caller, which has no text",
                "later   | #tenant               | is a reactor.core.publisher.Mono, whose value is not there yet when",
                "later   | #user                 | is a java.util.concurrent.CompletionStage, whose value is not there yet when",
                "later   | #user                 | Write what gives the value at once.",
                "caller  | #caller               | may mean the parameter 'caller'",
                "order   | ' '                   | is never anybody",
                "order   | null                  | is never anybody",
                "order   | 1 / 0                 | cannot be evaluated",
            },
            quoteCharacter = '"')
    void keyThatCannotWorkStopsTheStart(String method, String source, String words) {
        assertThatThrownBy(() -> written.key(source, method))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order  | -1        | is negative",
                "order  | 1.5       | is not a whole number",
                "order  | 'two'     | is a java.lang.String instead of a number",
                "order  | ${none:}  | is empty",
                "order  | #tenantId | is a java.lang.String",
                "order  | #order.large | is a boolean",
                "number | #ids      | unknown variable '#ids'",
            },
            quoteCharacter = '"')
    void costThatCannotWorkStopsTheStart(String method, String source, String words) {
        assertThatThrownBy(() -> written.cost(source, method))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining(": cost = ")
                .hasMessageContaining(words)
                .hasMessageContaining(source.equals("#ids") ? "#id" : "like #batch.size()");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#tenantId     | is neither true nor false",
                "#order.size   | is neither true nor false",
                "1             | is neither true nor false",
                "#order = null | changes a value",
            })
    void conditionThatCannotWorkStopsTheStart(String source, String words) {
        assertThatThrownBy(() -> written.condition(source, "order"))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining(": condition = ")
                .hasMessageContaining(words);
    }

    @Test
    void planThatCannotWorkStopsTheStart() {
        assertThatThrownBy(() -> written.plan("#order.size", "order"))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining(": plan = \"#order.size\" is a int. Write the name of a plan");
        assertThatThrownBy(() -> written.plan("gold", "order"))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining("or 'gold' if it is meant as text");
    }

    @Test
    void classesCompiledWithoutNamesSaySo() throws NoSuchMethodException {
        Method nameless = String.class.getMethod("concat", String.class);

        assertThatThrownBy(() -> written.expressions().key("#str", nameless))
                .hasMessageContaining("unknown variable '#str'")
                .hasMessageContaining("The parameters are #p0;")
                .hasMessageContaining("compiled with -parameters");
    }

    @Test
    void placeholderWithoutAPropertyStopsTheStart() {
        CallExpressions strict = new CallExpressions(null, CallerSource.NONE, text -> {
            throw new IllegalArgumentException("Could not resolve placeholder 'x'");
        });

        assertThatThrownBy(() -> strict.key("${x}", Written.method("order")))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining("key = \"${x}\" has a placeholder that cannot be resolved")
                .hasMessageContaining("${name:default}");
    }

    @Test
    void ruleHasNoParameters() {
        assertThatThrownBy(() -> written.expressions().condition("#tenantId == 'x'", "ratelimit.http.rules[0]"))
                .hasMessageStartingWith(
                        "ratelimit.http.rules[0]: condition = \"#tenantId == 'x'\" uses the unknown variable")
                .hasMessageContaining("There are no parameters; there is #caller");
    }
}
