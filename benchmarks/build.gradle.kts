// JMH benchmarks. Not published; run with Maven's profile `bench`.

plugins {
    `java-library`
}

dependencies {
    implementation(project(":ratelimit-autoconfigure"))
    implementation(project(":test-redis"))
    implementation(libs.jspecify)
    implementation(libs.jmhCore)

    annotationProcessor(libs.jmhGeneratorAnnprocess)
}
