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

    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }

    annotationProcessor(libs.jmhGeneratorAnnprocess)
}
