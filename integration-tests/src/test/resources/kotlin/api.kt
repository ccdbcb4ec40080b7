package io.github.ratelimit.it.kotlin

import io.github.ratelimit.annotation.RateLimited
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

@RestController
open class OrderApi {
    @RateLimited(name = "suspending", permits = 2, period = "1h", key = "#tenant")
    @GetMapping("/suspending/{tenant}")
    open suspend fun find(@PathVariable tenant: String): String {
        delay(1)
        return "order of $tenant"
    }

    @RateLimited(name = "flowing", permits = 2, period = "1h", key = "#tenant")
    @GetMapping("/flowing/{tenant}")
    open fun flow(@PathVariable tenant: String): Flow<String> = flowOf("order of ", tenant)
}
