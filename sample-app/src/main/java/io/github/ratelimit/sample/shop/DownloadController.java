/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.sample.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Limited by a rule for its path, in {@code application.yml}: nothing here says so. */
@RestController
class DownloadController {

    @GetMapping("/downloads/{file}")
    String download(@PathVariable String file) {
        return "the contents of " + file;
    }
}
