package io.turnframe.outbox.it.harness;

import com.github.f4b6a3.uuid.UuidCreator;
import io.turnframe.outbox.Outbox;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;
import org.jboss.arquillian.container.test.api.Testable;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** What is deployed: the files that the build made, never ones that are put together here, and tests beside them. */
public final class Archives {
    /** The context root of the probe in the EAR. */
    static final String PROBE_ROOT = "/probe";

    private static final String DESCRIPTOR = "META-INF/application.xml";

    private Archives() {}

    /** The EAR as it was built. */
    public static EnterpriseArchive outbox() {
        return ShrinkWrap.create(ZipImporter.class, "outbox.ear")
                .importFrom(file())
                .as(EnterpriseArchive.class);
    }

    /** The sample beside it, as it was built. */
    public static WebArchive travelDesk() {
        return ShrinkWrap.create(ZipImporter.class, "travel-desk.war")
                .importFrom(new File(System.getProperty("it.sample")))
                .as(WebArchive.class);
    }

    /** The EAR with {@code probe} as one more module, in which the tests run. */
    public static EnterpriseArchive outboxWith(WebArchive probe) {
        return outboxWith(
                Testable.archiveToTest(probe),
                "<web><web-uri>" + probe.getName() + "</web-uri><context-root>" + PROBE_ROOT + "</context-root></web>");
    }

    /** The EAR with {@code ejbs} as one more module. */
    public static EnterpriseArchive outboxWith(JavaArchive ejbs) {
        return outboxWith(ejbs, "<ejb>" + ejbs.getName() + "</ejb>");
    }

    private static EnterpriseArchive outboxWith(Archive<?> module, String described) {
        EnterpriseArchive ear = outbox();
        String descriptor = text(ear);
        ear.delete(DESCRIPTOR);
        return ear.addAsModule(module)
                .setApplicationXML(new StringAsset(descriptor.replace(
                        "<library-directory>", "<module>" + described + "</module><library-directory>")));
    }

    /** A WAR for tests inside the server, with the libraries they use. */
    public static WebArchive probe() {
        return testable("probe.war");
    }

    /** A business application beside the EAR: as {@link #probe}, with the API that it compiles against. */
    public static WebArchive application() {
        return testable("application.war").addAsLibraries(jarOf(Outbox.class), jarOf(UuidCreator.class));
    }

    private static WebArchive testable(String name) {
        return ShrinkWrap.create(WebArchive.class, name)
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
                .addClasses(Payloads.class, Marker.class)
                .addAsLibraries(jarOf(Assertions.class), jarOf(Awaitility.class), jarOf(Matcher.class));
    }

    /**
     * The SHA-256 of the EAR's file.
     *
     * @throws IllegalStateException if it is not the file that the build made
     */
    static String checksum() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file().toPath()));
            String actual = HexFormat.of().formatHex(digest);
            String built = Files.readString(Path.of(System.getProperty("it.ear.sha256")))
                    .strip();
            if (!actual.equals(built)) {
                throw new IllegalStateException(file() + " has the SHA-256 " + actual + " but was built as " + built);
            }
            return actual;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static File file() {
        return new File(System.getProperty("it.ear"));
    }

    private static File jarOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private static String text(EnterpriseArchive ear) {
        try (var in = ear.get(DESCRIPTOR).getAsset().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
