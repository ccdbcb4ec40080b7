/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The class path of this test without some of its jars: everything is loaded anew, from what is left. */
final class ReducedClassPath extends URLClassLoader {

    private ReducedClassPath(List<URL> left) {
        super("reduced", left.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Without the jars whose file names are like this. */
    static ReducedClassPath without(String jars) throws IOException {
        return where(Pattern.compile(jars).asMatchPredicate().negate());
    }

    /** With these jars alone, and with what is no jar: the classes of this module. */
    static ReducedClassPath only(String jars) throws IOException {
        return where(Pattern.compile(jars).asMatchPredicate().or(name -> !name.endsWith(".jar")));
    }

    private static ReducedClassPath where(Predicate<String> stays) throws MalformedURLException {
        List<URL> left = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (path.getFileName() != null && stays.test(path.getFileName().toString())) {
                left.add(path.toUri().toURL());
            }
        }
        return new ReducedClassPath(left);
    }

    boolean has(String type) {
        try {
            loadClass(type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Calls the static method {@code run} of a class that is loaded anew. */
    String run(Class<?> program, String... arguments) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            return (String) loadClass(program.getName())
                    .getMethod("run", String[].class)
                    .invoke(null, (Object) arguments);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
