package io.turnframe.outbox.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.jboss.byteman.check.RuleCheck;
import org.jboss.byteman.check.RuleCheckResult;
import org.junit.jupiter.api.Test;

/** A rule that does not fit the code is ignored by a server without a word: it is found out here, without one. */
class CrashRulesTest {
    private final Path rules = CrashPointsContract.resource("points.btm");

    @Test
    void everyRuleFitsTheCode() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        RuleCheck check = new RuleCheck();
        check.setPrintStream(new PrintStream(said, true, StandardCharsets.UTF_8));
        assertThat(check.addRuleFile(rules.toString())).as(said::toString).isTrue();
        check.checkRules();
        RuleCheckResult result = check.getResult();
        assertThat(result.hasError() || result.hasWarning()).as(said::toString).isFalse();
    }

    @Test
    void everyPointThatIsInTheServerHasARule() throws IOException {
        String[] names = EnumSet.complementOf(EnumSet.of(CrashPoint.AFTER_REQUEST)).stream()
                .map(point -> "RULE " + point)
                .toArray(String[]::new);
        assertThat(Files.readAllLines(rules))
                .filteredOn(line -> line.startsWith("RULE "))
                .containsExactlyInAnyOrder(names);
    }
}
