package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnframe.outbox.store.OutboxPosition;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-30T08:15:00.123456Z",
                "1600-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void roundTrips(Instant createdAt) {
        OutboxPosition position = new OutboxPosition(createdAt, UUID.randomUUID());

        assertThat(Cursor.decode(Cursor.encode(position))).isEqualTo(position);
    }

    @Test
    void standsForNoPositionWhenAbsent() {
        assertThat(Cursor.encode(null)).isNull();
        assertThat(Cursor.decode(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "!!!!",
                "AAAA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f_________________________________",
                "f_______AAAAAAAAAAAAAAAAAAAAAAAA",
                "gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void refusesWhatItNeverGaveOut(String cursor) {
        assertThatThrownBy(() -> Cursor.decode(cursor)).isInstanceOfSatisfying(AdminException.class, refused -> {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.code()).isEqualTo("turnframe.admin.invalid_cursor");
            assertThat(refused.parameter()).isEqualTo("cursor");
        });
    }
}
