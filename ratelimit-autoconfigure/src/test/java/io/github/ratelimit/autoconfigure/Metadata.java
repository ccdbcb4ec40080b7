/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.autoconfigure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;

/** What Spring Boot's annotation processor wrote about our properties. */
final class Metadata {

    private Metadata() {}

    static JsonNode read() {
        try {
            for (URL url : Collections.list(
                    Metadata.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream file = url.openStream()) {
                    JsonNode metadata = new ObjectMapper().readTree(file);
                    if (metadata.path("groups").toString().contains("\"ratelimit\"")) {
                        return metadata;
                    }
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("no metadata of ratelimit");
    }
}
