package io.turnframe.outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/your-own-sender.md shows is what is tested. */
class GuideTest {
    private static final Path SOURCES = Path.of("src/test/java/com/example/crm");

    @ParameterizedTest
    @ValueSource(strings = {"Crm.java", "CrmTest.java"})
    void showsTheFileToTheLetter(String file) throws IOException {
        assertThat(Files.readString(Path.of("../docs/your-own-sender.md")))
                .contains("```java\n" + Files.readString(SOURCES.resolve(file)) + "```");
    }
}
