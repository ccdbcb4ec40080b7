/*
 * Copyright the ratelimit authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.ratelimit.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.NullMarked;

/** The walls between the rooms, as rules over a root package: the library's, or that of the fixture which breaks them. */
final class Walls {

    private final String root;

    Walls(String root) {
        this.root = root;
    }

    /** A room uses only what its row in {@link Rooms} names. */
    ArchRule around(Rooms room) {
        return classes()
                .that()
                .resideInAPackage(room.packageUnder(root))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(room.mayUse(root)))
                .allowEmptyShould(true);
    }

    /** A new package first gets a row, and with it a wall. */
    ArchRule everyPackageIsARoom() {
        String[] rooms = Arrays.stream(Rooms.values())
                .map(room -> room.packageUnder(root))
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .resideInAnyPackage(rooms)
                .allowEmptyShould(true);
    }

    ArchRule noCycles() {
        return slices().assignedFrom(new PackagesUnder(root))
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true);
    }

    /** Boot is wiring: a library class that imports it can be used with one Boot line only by luck. */
    ArchRule bootIsForWiring() {
        return noClasses()
                .that(resideInAPackage(root + "..")
                        .and(not(resideInAnyPackage(
                                Rooms.AUTOCONFIGURE.packageUnder(root), Rooms.ACTUATE.packageUnder(root)))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.boot..")
                .allowEmptyShould(true);
    }

    /** Foreign types are known to the files named after them: without Reactor or Kotlin everything else still loads. */
    ArchRule foreignTypesStayInTheirFile() {
        return noClasses()
                .that()
                .resideInAnyPackage(
                        Rooms.WORDS.packageUnder(root),
                        Rooms.LIMITER.packageUnder(root),
                        Rooms.INTERCEPT.packageUnder(root))
                .and(not(inAFileNamedAfterTheType()))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("reactor..", "org.reactivestreams..", "kotlin..", "kotlinx..")
                .allowEmptyShould(true);
    }

    /** The arithmetic is told the time and touches nothing outside. */
    ArchRule arithmeticHasNoClockAndNoInput() {
        return noClasses()
                .that()
                .resideInAPackage(Rooms.ALGORITHM.packageUnder(root))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.net..", "java.nio..", "java.util.concurrent..")
                .allowEmptyShould(true);
    }

    ArchRule everyPackageIsNullMarked() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should(new ArchCondition<JavaClass>("reside in a package with @NullMarked") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                        String message =
                                "%s of %s".formatted(marked ? "@NullMarked" : "no @NullMarked", type.getName());
                        events.add(new SimpleConditionEvent(type, marked, message));
                    }
                })
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> inAFileNamedAfterTheType() {
        return DescribedPredicate.describe("are in a file named Reactor…, Kotlin… or …ReactiveRateLimiter", type -> {
            JavaClass file = type;
            while (file.getEnclosingClass().isPresent()) {
                file = file.getEnclosingClass().get();
            }
            return file.getSimpleName().startsWith("Reactor")
                    || file.getSimpleName().startsWith("Kotlin")
                    || file.getSimpleName().endsWith("ReactiveRateLimiter");
        });
    }

    /** One slice per package, the root's own included. */
    private record PackagesUnder(String root) implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            boolean ours = name.equals(root) || name.startsWith(root + ".");
            return ours ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "the packages of " + root;
        }
    }
}
