pluginManagement {
    repositories {
        mavenCentral()
    }
}

dependencyResolutionManagement {
    repositoriesMode.set(RepositoriesMode.FAIL_ON_PROJECT_REPOS)
    repositories {
        mavenCentral()
    }
}

rootProject.name = "ratelimit"

include("test-redis")
include("ratelimit-autoconfigure")
include("ratelimit-starter")
include("integration-tests")
include("sample-app")
include("benchmarks")
