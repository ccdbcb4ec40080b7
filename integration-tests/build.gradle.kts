// Whole applications on both web stacks, on the Boot line the library was not compiled on. Not published.

dependencies {
    testImplementation(project(":ratelimit-starter"))
    testImplementation(libs.springBootStarterWeb)
    testImplementation(libs.springBootStarterWebflux)
    testImplementation(project(":test-redis"))
    testImplementation(libs.springBootStarterTest) { exclude(group = "org.mockito") }
}
