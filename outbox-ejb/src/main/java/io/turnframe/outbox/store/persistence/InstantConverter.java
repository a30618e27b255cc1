package io.turnframe.outbox.store.persistence;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Instants as UTC timestamps with a zone: the one mapping that no daylight-saving change of any zone can shift. */
@Converter
public class InstantConverter implements AttributeConverter<Instant, OffsetDateTime> {
    @Override
    public OffsetDateTime convertToDatabaseColumn(Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    @Override
    public Instant convertToEntityAttribute(OffsetDateTime timestamp) {
        return timestamp == null ? null : timestamp.toInstant();
    }
}
