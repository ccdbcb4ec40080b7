/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import io.github.ratelimit.expression.CallContext.Variables;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * An expression that SpEL evaluates: interpreted at first, compiled once it has been seen at work.
 *
 * <p>Compiled code is made for the types seen while interpreting. When it fails on others, the interpreter says what the
 * value really is. Code that was wrong {@value #MISFITS} times is given up for good: callers who vary the types they
 * send could otherwise have classes generated without end, as SpEL's own mixed mode does.
 */
final class SpelOperand implements Operand {

    private static final int RUNS_BEFORE_COMPILING = 32;
    private static final int MISFITS = 8;

    private static final Set<SpelMessage> NOTHING_THERE = Set.of(
            SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL,
            SpelMessage.METHOD_CALL_ON_NULL_OBJECT_NOT_ALLOWED,
            SpelMessage.CANNOT_INDEX_INTO_NULL_VALUE,
            SpelMessage.COLLECTION_INDEX_OUT_OF_BOUNDS,
            SpelMessage.ARRAY_INDEX_OUT_OF_BOUNDS);

    private final SpelExpression interpreted;
    private final SpelExpression compiled;
    private final SpelTools tools;
    private final Variables variables;
    private final Site site;

    // Counted without care for races: a few runs more or less change nothing.
    private Mode mode = Mode.WARMING;
    private int runs;
    private int misfits;

    private enum Mode {
        WARMING,
        COMPILED,
        INTERPRETED
    }

    SpelOperand(
            SpelNodeImpl ast, SpelParserConfiguration configuration, SpelTools tools, Variables variables, Site site) {
        this.interpreted = new SpelExpression(site.source(), ast, configuration);
        this.compiled = new SpelExpression(site.source(), ast, configuration);
        this.tools = tools;
        this.variables = variables;
        this.site = site;
    }

    @Override
    public Class<?> type() {
        return Object.class;
    }

    @Override
    public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
        CallContext context = new CallContext(tools, variables, arguments, caller);
        try {
            return mode == Mode.COMPILED ? run(context) : interpret(context);
        } catch (SpelEvaluationException e) {
            if (NOTHING_THERE.contains(e.getMessageCode())) {
                throw site.nothingThere("came upon null, or an index that is not there");
            }
            throw site.unusable("failed", e);
        } catch (EvaluationException e) {
            throw site.unusable("failed", e);
        }
    }

    private @Nullable Object interpret(CallContext context) {
        Object value = interpreted.getValue(context);
        if (mode == Mode.WARMING && ++runs >= RUNS_BEFORE_COMPILING) {
            mode = compiles() ? Mode.COMPILED : Mode.INTERPRETED;
        }
        return value;
    }

    private boolean compiles() {
        try {
            return compiled.compileExpression();
        } catch (SpelEvaluationException e) {
            return false;
        }
    }

    private @Nullable Object run(CallContext context) {
        try {
            return compiled.getValue(context);
        } catch (SpelEvaluationException e) {
            Throwable cause = e.getCause();
            if (e.getMessageCode() != SpelMessage.EXCEPTION_RUNNING_COMPILED_EXPRESSION || cause == null) {
                throw e;
            }
            if (!mayBeMisfit(cause)) {
                throw asThrownByUser(cause);
            }
            Object value = interpreted.getValue(context);
            if (++misfits >= MISFITS) {
                mode = Mode.INTERPRETED;
            }
            return value;
        }
    }

    private static boolean mayBeMisfit(Throwable cause) {
        return cause instanceof ClassCastException
                || cause instanceof NullPointerException
                || cause instanceof LinkageError
                || cause instanceof EvaluationException;
    }

    private RuntimeException asThrownByUser(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : site.unusable("failed", cause);
    }
}
