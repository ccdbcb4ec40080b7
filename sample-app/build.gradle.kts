// An application that limits its calls. Not published.

plugins {
    `java-library`
    alias(libs.plugins.springBoot)
}

dependencies {
    implementation(project(":ratelimit-starter"))
    implementation(libs.springBootStarterWeb)

    testImplementation(project(":test-redis"))
    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }
}
