package io.turnframe.outbox.it.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Users whom only these tests need; the server under test reads its files of users anew when they change. */
final class OtherUsers {
    /** Sees payloads, and nothing else. */
    static final String READER = "reader";

    /** Is in none of the roles. */
    static final String STRANGER = "stranger";

    private OtherUsers() {}

    static void add() {
        add(READER, "outbox-payload");
        add(STRANGER, "somebody");
    }

    private static void add(String user, String group) {
        Path files = Path.of(System.getProperty("it.server.base"), "configuration");
        append(files.resolve("application-roles.properties"), user + "=" + group);
        append(files.resolve("application-users.properties"), user + "=" + secret(user));
    }

    private static void append(Path file, String line) {
        try {
            if (!Files.readAllLines(file).contains(line)) {
                Files.writeString(file, System.lineSeparator() + line, StandardOpenOption.APPEND);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** As WildFly keeps it. */
    private static String secret(String user) {
        String text = user + ":ApplicationRealm:" + System.getProperty("it.operator.password");
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
