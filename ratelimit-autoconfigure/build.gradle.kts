// The library and its wiring.

plugins {
    `java-library`
}

dependencies {
    api(libs.springBootAutoconfigure)
    api(libs.springAop)
    api(libs.springContext)
    api(libs.springExpression)
    api(libs.jspecify)
    api(libs.slf4jApi)

    // Optional: each is used by one package or one auto-configuration, present only when the application brings it.
    compileOnly(libs.springDataRedis)
    compileOnly(libs.lettuceCore)
    compileOnly(libs.jedis)
    compileOnly(libs.springWebmvc)
    compileOnly(libs.springWebflux)
    compileOnly(libs.jakartaServletApi)
    compileOnly(libs.reactorCore)
    compileOnly(libs.reactorNettyHttp)
    compileOnly(libs.kotlinxCoroutinesCore)
    compileOnly(libs.kotlinxCoroutinesReactor)
    compileOnly(libs.springBootActuatorAutoconfigure)
    compileOnly(libs.contextPropagation)
    compileOnly(libs.micrometerCore)

    annotationProcessor(libs.springBootConfigurationProcessor)
    annotationProcessor(libs.springBootAutoconfigureProcessor)

    testImplementation(project(":test-redis"))
    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }
    testImplementation(libs.springBootStarterWeb)
    testImplementation(libs.springBootStarterWebflux)
    testImplementation(libs.springCloudContext)
    testImplementation(libs.archunit)
    testImplementation(libs.lincheck)
}
