package io.github.ratelimit.it.kotlin

import io.github.ratelimit.RateLimitExceededException
import io.github.ratelimit.annotation.RateLimited
import io.github.ratelimit.it.gate.Coroutines
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import reactor.util.context.Context

open class Orders {
    open val bodies = AtomicInteger()
    open val notes = CopyOnWriteArrayList<String>()

    @RateLimited(key = "#tenant")
    open suspend fun find(tenant: String): String {
        delay(1)
        bodies.incrementAndGet()
        return "order of $tenant"
    }

    @RateLimited
    open suspend fun nothing(): String? = null

    @RateLimited
    open suspend fun unit() {
        bodies.incrementAndGet()
    }

    @RateLimited(fallback = "instead")
    open suspend fun withFallback(tenant: String): String = "order of $tenant"

    suspend fun instead(tenant: String, denied: RateLimitExceededException): String {
        delay(1)
        return "$tenant denied by ${denied.denied().limit()}"
    }

    @RateLimited(fallback = "plainly")
    open suspend fun withPlainFallback(tenant: String): String = "order of $tenant"

    fun plainly(tenant: String): String = "plainly $tenant"

    @RateLimited(fallback = "noted")
    open suspend fun unitWithPlainFallback(tenant: String) {
        bodies.incrementAndGet()
    }

    fun noted(tenant: String) {
        notes.add(tenant)
    }

    @RateLimited(key = "'all'", permits = 1, period = "1h", maxWait = "1h")
    open suspend fun patient() {
        bodies.incrementAndGet()
    }

    @RateLimited(key = "@tenants.current()")
    open suspend fun ofTheContext(): String = "found"

    @RateLimited(key = "#tenant")
    open fun flow(tenant: String): Flow<String> {
        bodies.incrementAndGet()
        return flowOf(tenant, "$tenant again")
    }
}

class Caller(private val orders: Orders) : Coroutines {
    override fun find(tenant: String): String = runBlocking { orders.find(tenant) }
    override fun nothing(): String? = runBlocking { orders.nothing() }
    override fun unit() = runBlocking { orders.unit() }
    override fun withFallback(tenant: String): String = runBlocking { orders.withFallback(tenant) }
    override fun withPlainFallback(tenant: String): String = runBlocking { orders.withPlainFallback(tenant) }
    override fun unitWithPlainFallback(tenant: String): List<String> {
        val unit: Unit = runBlocking { orders.unitWithPlainFallback(tenant) }
        return orders.notes + unit.toString()
    }
    override fun patient(millis: Long): Boolean = runBlocking { withTimeoutOrNull(millis) { orders.patient() } != null }
    override fun ofTheContext(key: String, value: String): String =
        runBlocking(ReactorContext(Context.of(key, value))) { orders.ofTheContext() }
    override fun flow(tenant: String): Supplier<List<String>> {
        val flow = orders.flow(tenant)
        return Supplier { runBlocking { flow.toList() } }
    }
    override fun bodies(): Int = orders.bodies.get()
}

open class Mistaken {
    @RateLimited(fallback = "instead")
    open suspend fun find(tenant: String): String = tenant

    suspend fun instead(tenant: String): Int = 1
}

open class Misspelt {
    @RateLimited(key = "#tennant")
    open suspend fun find(tenant: String): String = tenant
}

open class Overloaded {
    @RateLimited
    open suspend fun find(tenant: String): String = tenant

    @RateLimited
    open suspend fun find(tenant: Int): String = "$tenant"
}
