/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate of one's own for 127.0.0.1, and its key, as PEM files in a temporary directory. */
record Certificate(Path certificate, Path key) {

    private static final String SECRET = "secret";

    static Certificate create() {
        try {
            Path directory = Files.createTempDirectory("certificate-");
            Path store = directory.resolve("store.p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "redis",
                            "-keyalg",
                            "RSA",
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=ip:127.0.0.1,dns:localhost",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            SECRET)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("keytool.log").toFile())
                    .start();
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(directory.resolve("keytool.log")));
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, SECRET.toCharArray());
            }
            return new Certificate(
                    write(
                            directory.resolve("redis.crt"),
                            "CERTIFICATE",
                            keys.getCertificate("redis").getEncoded()),
                    write(
                            directory.resolve("redis.key"),
                            "PRIVATE KEY",
                            keys.getKey("redis", SECRET.toCharArray()).getEncoded()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Path write(Path file, String what, byte[] encoded) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        String pem = "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
        return Files.write(file, pem.getBytes(StandardCharsets.US_ASCII));
    }
}
