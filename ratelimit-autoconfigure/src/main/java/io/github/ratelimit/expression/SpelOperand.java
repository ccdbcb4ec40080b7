/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.expression;

import io.github.ratelimit.expression.CallContext.Variables;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.CompiledExpression;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * An expression that SpEL evaluates: interpreted at first; if it only reads, compiled once it has been seen at work.
 *
 * <p>Compiled code is made for the types seen while interpreting. Where it fails by itself on others, the interpreter
 * reads once more and says what the value really is. So an expression that calls something is never compiled: whatever it
 * calls is called once for each decision. Nor is a getter read again that has thrown.
 *
 * <p>Code that was wrong {@value #MISFITS} times is given up for good: callers who vary the types they send could
 * otherwise have classes generated without end, as SpEL's own mixed mode does.
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

    private final SpelNodeImpl ast;
    private final SpelParserConfiguration configuration;
    private final SpelExpression interpreter;
    private final SpelTools tools;
    private final Variables variables;
    private final Site site;

    // Counted without care for races: a few runs more or less change nothing.
    private boolean mayCompile;
    private int runs;
    private int misfits;
    private @Nullable CompiledExpression compiled;

    SpelOperand(
            SpelNodeImpl ast, SpelParserConfiguration configuration, SpelTools tools, Variables variables, Site site) {
        this.ast = ast;
        this.configuration = configuration;
        this.interpreter = new SpelExpression(site.source(), ast, configuration);
        this.mayCompile = onlyReads(ast);
        this.tools = tools;
        this.variables = variables;
        this.site = site;
    }

    private static boolean onlyReads(SpelNode node) {
        boolean reads = !(node instanceof MethodReference || node instanceof ConstructorReference);
        for (int i = 0; reads && i < node.getChildCount(); i++) {
            reads = onlyReads(node.getChild(i));
        }
        return reads;
    }

    @Override
    public Class<?> type() {
        return Object.class;
    }

    @Override
    public @Nullable Object of(@Nullable Object[] arguments, @Nullable Caller caller) {
        CallContext context = new CallContext(tools, variables, arguments, caller);
        CompiledExpression code = compiled;
        if (code != null) {
            return run(code, context);
        }
        Object value = interpret(context);
        if (mayCompile && ++runs >= RUNS_BEFORE_COMPILING) {
            mayCompile = false;
            compiled = compile();
        }
        return value;
    }

    private @Nullable CompiledExpression compile() {
        try {
            return SpelCompiler.getCompiler(configuration.getCompilerClassLoader())
                    .compile(ast);
        } catch (IllegalStateException | EvaluationException | LinkageError e) {
            return null;
        }
    }

    private @Nullable Object interpret(CallContext context) {
        try {
            return interpreter.getValue(context);
        } catch (SpelEvaluationException e) {
            if (NOTHING_THERE.contains(e.getMessageCode())) {
                throw site.nothingThere("came upon null, or an index that is not there");
            }
            Throwable own = thrownByGetter(e);
            throw own == null ? site.unusable("failed", e) : asThrown(own);
        } catch (EvaluationException e) {
            throw site.unusable("failed", e);
        }
    }

    private static @Nullable Throwable thrownByGetter(SpelEvaluationException e) {
        Throwable reading = e.getMessageCode() == SpelMessage.EXCEPTION_DURING_PROPERTY_READ ? e.getCause() : null;
        return reading != null && reading.getCause() instanceof InvocationTargetException call
                ? call.getTargetException()
                : null;
    }

    private @Nullable Object run(CompiledExpression code, CallContext context) {
        try {
            return code.getValue(null, context);
        } catch (Throwable e) {
            if (!failedItself(code, e)) {
                throw asThrown(e);
            }
            Object value = interpret(context);
            if (++misfits >= MISFITS) {
                compiled = null;
            }
            return value;
        }
    }

    /** Whether it was the code that failed, with or within what SpEL and the JDK do for it, and nobody's getter. */
    private static boolean failedItself(CompiledExpression code, Throwable failure) {
        String own = code.getClass().getName();
        for (StackTraceElement frame : failure.getStackTrace()) {
            String type = frame.getClassName();
            if (type.equals(own)) {
                return true;
            }
            if (!type.startsWith("java.")
                    && !type.startsWith("jdk.")
                    && !type.startsWith("org.springframework.expression.")) {
                return false;
            }
        }
        return false;
    }

    private RuntimeException asThrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException exception ? exception : site.unusable("failed", failure);
    }
}
