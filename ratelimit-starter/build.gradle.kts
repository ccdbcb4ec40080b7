// Everything an application needs to limit its methods. A build file, no class.

plugins {
    `java-library`
}

dependencies {
    api(project(":ratelimit-autoconfigure"))
    api(libs.springBootStarter)
    api(libs.springBootStarterDataRedis)
    // spring-aop itself: the AOP starter is called -aop on Boot 3 and -aspectj on Boot 4.
    api(libs.springAop)
    api(libs.micrometerCore)
}
