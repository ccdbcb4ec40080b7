// An application that limits its calls. Not published.

plugins {
    `java-library`
    alias(libs.plugins.springBoot)
}

dependencies {
    implementation(project(":ratelimit-starter"))
    implementation(libs.springBootStarterWeb)
    implementation(libs.springBootStarterWebflux)
    implementation(libs.springBootStarterActuator)
    implementation(libs.micrometerRegistryPrometheus)
    // A Redis for whoever has none at hand: for development only.
    implementation(libs.embeddedRedis) { exclude(group = "redis.clients", module = "jedis") }

    testImplementation(project(":test-redis"))
    testImplementation(libs.seleniumChromeDriver)
    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }
}
