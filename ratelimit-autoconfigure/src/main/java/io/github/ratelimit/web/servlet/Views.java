/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.web.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.support.RequestContextUtils;

/** Renders what an exception handler returned where no dispatcher servlet does. */
public final class Views {

    private final Supplier<Stream<ViewResolver>> resolvers;

    /** Views found by these resolvers, in their order. */
    public Views(Supplier<Stream<ViewResolver>> resolvers) {
        this.resolvers = resolvers;
    }

    /** Renders an answer; one without a view has been written already. */
    void render(ModelAndView answer, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (!answer.hasView()) {
            return;
        }
        RequestAttributes before = RequestContextHolder.getRequestAttributes();
        if (before == null) {
            RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request, response));
        }
        try {
            HttpStatusCode status = answer.getStatus();
            if (status != null) {
                request.setAttribute(View.RESPONSE_STATUS_ATTRIBUTE, status);
                response.setStatus(status.value());
            }
            view(answer, RequestContextUtils.getLocale(request)).render(answer.getModel(), request, response);
        } catch (ServletException | IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException("Could not render " + answer, e);
        } finally {
            RequestContextHolder.setRequestAttributes(before);
        }
    }

    private View view(ModelAndView answer, Locale locale) throws Exception {
        View view = answer.getView();
        String name = answer.getViewName();
        Iterator<ViewResolver> asked = resolvers.get().iterator();
        while (view == null && name != null && asked.hasNext()) {
            view = asked.next().resolveViewName(name, locale);
        }
        if (view == null) {
            throw new ServletException("There is no view named '" + name + "'");
        }
        return view;
    }
}
