// What all modules share. Maven (pom.xml) is the build that publishes and formats; BuildParityTests holds the two together.

plugins {
    alias(libs.plugins.springBoot) apply false
}

val catalog = libs
val baseline = libs.versions.bootBaseline.get()
val runLine = providers.gradleProperty("it.spring-boot.version").getOrElse(libs.versions.bootRun.get())
val ownTags = listOf("faults", "interleavings", "soak", "browser", "bench")
val chosenTag = providers.gradleProperty("tag").orNull

subprojects {
    apply(plugin = "java-library")

    // Spring Boot's versions, for everything this module resolves, and for nobody who depends on it: two modules
    // run the library on another line than it is compiled against.
    val platformVersion = if (name == "integration-tests" || name == "sample-app") runLine else baseline
    val springBootPlatform = configurations.create("springBootPlatform") {
        isCanBeConsumed = false
        isCanBeResolved = false
    }
    configurations.configureEach {
        if (name.endsWith("Classpath") || name.endsWith("nnotationProcessor")) {
            extendsFrom(springBootPlatform)
        }
    }
    // Optional dependencies are present in tests.
    configurations.named("testImplementation") {
        extendsFrom(configurations.getByName("compileOnly"))
    }

    dependencies {
        add("springBootPlatform", platform("org.springframework.boot:spring-boot-dependencies:$platformVersion"))
        add("testRuntimeOnly", catalog.junitJupiterEngine)
        add("testRuntimeOnly", catalog.junitPlatformLauncher)
        for (processors in listOf("annotationProcessor", "testAnnotationProcessor")) {
            add(processors, catalog.errorProneCore)
            add(processors, catalog.nullaway)
        }
    }

    tasks.withType<JavaCompile>().configureEach {
        options.release.set(17)
        options.encoding = "UTF-8"
        options.isFork = true
        options.forkOptions.jvmArgs = listOf(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.main=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.model=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.parser=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.processing=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED",
        )
        options.compilerArgs.addAll(
            listOf(
                "-parameters",
                "-Xlint:all,-processing,-classfile,-path",
                "-Werror",
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-XDaddTypeAnnotationsToSymbol=true",
                "-Xplugin:ErrorProne -XepExcludedPaths:.*/generated(-test)?[-/]sources/.* -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true",
            ),
        )
    }

    tasks.withType<Test>().configureEach {
        include("**/*Test.class", "**/*Tests.class")
        useJUnitPlatform {
            if (chosenTag == null) excludeTags(*ownTags.toTypedArray()) else includeTags(chosenTag)
        }
        systemProperties(providers.systemPropertiesPrefixedBy("ratelimit.").get())
        systemProperties(providers.systemPropertiesPrefixedBy("redis.test.").get())
        // Longer than the longest test by far: one that hangs is to fail, not to take the build along.
        systemProperty("junit.jupiter.execution.timeout.default", if (chosenTag == "soak") "60 m" else "10 m")
        systemProperty("junit.jupiter.execution.timeout.threaddump.enabled", "true")
        maxHeapSize = "2g"
    }

    tasks.withType<AbstractArchiveTask>().configureEach {
        isPreserveFileTimestamps = false
        isReproducibleFileOrder = true
    }
}
