// A Redis for tests: by Docker, from the PATH, or bundled. Not published.

plugins {
    `java-library`
}

dependencies {
    api(libs.jspecify)
    api(libs.junitJupiterApi)
    api(libs.slf4jApi)
    api(libs.testcontainers)
    api(libs.embeddedRedis) { exclude(group = "redis.clients", module = "jedis") }
}
