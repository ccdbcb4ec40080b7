/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web;

import io.github.ratelimit.RateLimitException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * The application's {@code @ExceptionHandler} methods that were written for denials: for one of our exceptions or for
 * their root, not for every {@code Exception}. The controller's own come first, then advice in its order.
 */
public final class SpecificHandlers {

    private final SingletonSupplier<List<ControllerAdviceBean>> advice;
    private final Map<Class<?>, ExceptionHandlerMethodResolver> resolvers = new ConcurrentHashMap<>();
    private final Map<Question, Boolean> answers = new ConcurrentHashMap<>();

    /** The handlers of an application. */
    public SpecificHandlers(ApplicationContext context) {
        this.advice = SingletonSupplier.of(() -> ControllerAdviceBean.findAnnotatedBeans(context));
    }

    /**
     * Finds who handles an exception.
     *
     * @param handler the controller's method that was called; null: none, or not one of a controller
     * @param accept what the client accepts, the header's value of all its lines: a handler may produce something else
     * @return a method of the bean that has the handler, so that its type's handlers are asked first; null: nobody
     */
    public @Nullable HandlerMethod of(@Nullable HandlerMethod handler, Throwable exception, @Nullable String accept) {
        List<MediaType> accepted = Preference.inOrder(accept);
        Class<?> type = handler == null ? null : handler.getBeanType();
        if (type != null && find(type, exception, accepted) != null) {
            return handler;
        }
        for (ControllerAdviceBean bean : advice.obtain()) {
            Class<?> adviceType = bean.getBeanType();
            Method found = adviceType != null && bean.isApplicableToBeanType(type)
                    ? find(adviceType, exception, accepted)
                    : null;
            if (found != null) {
                return new HandlerMethod(bean.resolveBean(), found);
            }
        }
        return null;
    }

    /** The handler that Spring would take of a class, if it was written for denials. */
    private @Nullable Method find(Class<?> type, Throwable exception, List<MediaType> accepted) {
        ExceptionHandlerMethodResolver resolver = resolvers.computeIfAbsent(type, ExceptionHandlerMethodResolver::new);
        for (MediaType mediaType : accepted) {
            ExceptionHandlerMappingInfo found =
                    resolver.resolveExceptionMappingByExceptionType(exception.getClass(), mediaType);
            if (found != null) {
                Method method = found.getHandlerMethod();
                return isSpecific(method, exception) ? method : null;
            }
        }
        return null;
    }

    private boolean isSpecific(Method method, Throwable exception) {
        return answers.computeIfAbsent(
                new Question(method, exception.getClass()),
                question -> types(method).anyMatch(type -> isBetween(type, question.exception())));
    }

    private static Stream<Class<?>> types(Method method) {
        ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
        return annotation != null && annotation.value().length > 0
                ? Arrays.stream(annotation.value())
                : Arrays.stream(method.getParameterTypes());
    }

    private static boolean isBetween(Class<?> type, Class<?> exception) {
        return RateLimitException.class.isAssignableFrom(type) && type.isAssignableFrom(exception);
    }

    private record Question(Method method, Class<? extends Throwable> exception) {}
}
