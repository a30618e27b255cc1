package io.turnframe.outbox.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Calendar;
import java.util.Date;
import java.util.Map;

/** The line of modules: api, then ejb, batch, web; each with a package of its own. */
@AnalyzeClasses(packages = "io.turnframe.outbox", importOptions = ArchitectureTest.Shipped.class)
class ArchitectureTest {
    private static final String API = "io.turnframe.outbox";
    private static final String TESTING = "io.turnframe.outbox.testing";
    private static final String STORE = "io.turnframe.outbox.store..";
    private static final String BATCH = "io.turnframe.outbox.batch..";
    private static final String WEB = "io.turnframe.outbox.web..";

    /** Which module holds which package. */
    private static final Map<String, String> MODULES = Map.of(
            "outbox-api", API,
            "outbox-ejb", "io.turnframe.outbox.store",
            "outbox-batch", "io.turnframe.outbox.batch",
            "outbox-web", "io.turnframe.outbox.web");

    /** The modules of the EAR, without the tests. */
    static final class Shipped implements ImportOption {
        @Override
        public boolean includes(com.tngtech.archunit.core.importer.Location location) {
            return !location.contains("/outbox-it/")
                    && !location.contains("/test-classes/")
                    && !location.contains("-tests.jar");
        }
    }

    @ArchTest
    static final ArchRule dependenciesFormOneLine = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("api")
            .definedBy(API, TESTING)
            .layer("store")
            .definedBy(STORE)
            .layer("batch")
            .definedBy(BATCH)
            .layer("web")
            .definedBy(WEB)
            .whereLayer("web")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("batch")
            .mayOnlyBeAccessedByLayers("web")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("batch", "web");

    /** A business application compiles against it and needs nothing of the server's. */
    @ArchTest
    static final ArchRule theApiNeedsNothingButJava = noClasses()
            .that()
            .resideInAnyPackage(API, TESTING)
            .should()
            .dependOnClassesThat(not(resideInAPackage("java..")
                    .or(resideInAnyPackage(API, TESTING))
                    .or(resideInAPackage("com.github.f4b6a3.uuid.."))));

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("io.turnframe.outbox.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule everyModuleKeepsToItsPackage = classes().should(new ArchCondition<>("stand in its package") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
            String source = type.getSource().orElseThrow().getUri().toString();
            String module = MODULES.keySet().stream()
                    .filter(name -> source.contains("/" + name + "/") || source.contains("/" + name + "-"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("of which module is " + source + "?"));
            String home = MODULES.get(module);
            String actual = type.getPackageName();
            boolean kept = home.equals(API)
                    ? actual.equals(API) || actual.equals(TESTING)
                    : actual.equals(home) || actual.startsWith(home + ".");
            events.add(new SimpleConditionEvent(type, kept, type.getName() + " stands in " + module));
        }
    });

    /**
     * Whatever must agree between nodes goes by the database's clock. The node's own says when an entry was created, reads
     * a remote's {@code Retry-After} and a sender's {@code notBefore}, and tells the minutes of what the node has done itself.
     */
    @ArchTest
    static final ArchRule fewReadTheClockOfTheNode = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.turnframe.outbox.OutboxEntry")
            .and()
            .doNotHaveFullyQualifiedName("io.turnframe.outbox.batch.Settler")
            .and()
            .doNotHaveFullyQualifiedName("io.turnframe.outbox.batch.JointSends")
            .and()
            .doNotHaveFullyQualifiedName("io.turnframe.outbox.batch.metrics.History")
            .and()
            .doNotHaveFullyQualifiedName("io.turnframe.outbox.batch.http.HttpSender")
            .and()
            .resideOutsideOfPackages(TESTING, "io.turnframe.outbox.sample..")
            .should()
            .callMethodWhere(target(name("currentTimeMillis"))
                    .or(target(owner(resideInAPackage("java.time..")))
                            .and(target(nameMatching("now|system.*|tick.*")))))
            .orShould()
            .callConstructor(Date.class)
            .orShould()
            .callMethod(Calendar.class, "getInstance");

    /** A rule about classes that were not found would pass. */
    @ArchTest
    static void theModulesAreFound(JavaClasses classes) {
        classes.get("io.turnframe.outbox.Outbox");
        classes.get("io.turnframe.outbox.store.OutboxStoreBean");
    }
}
