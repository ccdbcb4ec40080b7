// Whole applications on both web stacks, on the Boot line the library was not compiled on. Not published.

plugins {
    `java-library`
}

dependencies {
    testImplementation(project(":ratelimit-starter"))
    testImplementation(libs.springBootStarterWeb)
    testImplementation(libs.springBootStarterWebflux)
    testImplementation(libs.springBootStarterActuator)
    testImplementation(libs.springBootWebmvcTest)
    testImplementation(libs.springBootWebfluxTest)
    testImplementation(libs.micrometerRegistryPrometheus)
    testImplementation(libs.jedis)
    testImplementation(libs.springTx)
    testImplementation(libs.springCloudContextOfTheRunLine)
    testImplementation(libs.springRetry)
    testImplementation(libs.springBootStarterSecurity)
    testImplementation(libs.aspectjweaver)
    testImplementation(libs.contextPropagation)
    testImplementation(libs.kotlinCompilerEmbeddable)
    testImplementation(libs.kotlinReflect)
    testImplementation(libs.kotlinxCoroutinesReactor)
    testImplementation(libs.rxjava)
    testImplementation(project(":test-redis"))
    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }
}

// Tests of what only the other line has.
val runLine = providers.gradleProperty("it.spring-boot.version").getOrElse(libs.versions.bootRun.get())
configure<SourceSetContainer> {
    named("test") { java.exclude(if (runLine.startsWith("3.")) "**/boot4/**" else "**/boot3/**") }
}

// Slices have modules of their own on Boot 4; Boot 3.5 has them beside what every test needs.
if (runLine.startsWith("3.")) {
    configurations.configureEach {
        exclude(group = "org.springframework.boot", module = "spring-boot-webmvc-test")
        exclude(group = "org.springframework.boot", module = "spring-boot-webflux-test")
        resolutionStrategy.force(libs.springCloudContext.get().toString())
    }
}
