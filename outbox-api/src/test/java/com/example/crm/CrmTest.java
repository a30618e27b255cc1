package com.example.crm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.turnframe.outbox.testing.ScriptedRemote;
import io.turnframe.outbox.testing.SenderCheck;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrmTest {
    @Test
    void keepsTheRulesOfSenders() throws IOException {
        try (ScriptedRemote remote = ScriptedRemote.start()) {
            Crm sender = new Crm(remote.url());
            assertEquals(List.of(), SenderCheck.of(remote, sender).run());
        }
    }
}
