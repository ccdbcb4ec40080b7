// JMH benchmarks. Not published; run with Maven's profile `bench`.

plugins {
    `java-library`
}

dependencies {
    implementation(project(":ratelimit-starter"))
    implementation(project(":test-redis"))
    implementation(libs.jspecify)
    implementation(libs.jmhCore)
    implementation(libs.aspectjweaver)
    implementation(libs.resilience4jSpringBoot3)
    implementation(libs.bucket4jJdk17Core)
    implementation(libs.guava)
    implementation(libs.springBootStarterDataRedis)
    implementation(libs.micrometerCore)
    implementation(libs.bucket4jJdk17Lettuce)
    implementation(libs.redisson)
    implementation(libs.springCloudGatewayServerWebflux) { exclude(group = "*") }

    annotationProcessor(libs.jmhGeneratorAnnprocess)

    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }
}
