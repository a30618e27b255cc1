package io.turnframe.outbox.store.persistence;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.UUID;

/** A UUID as it is, absent or not: EclipseLink's own conversion fails on a null that it reads. */
@Converter
public class NullableUuidConverter implements AttributeConverter<UUID, UUID> {
    @Override
    public UUID convertToDatabaseColumn(UUID id) {
        return id;
    }

    @Override
    public UUID convertToEntityAttribute(UUID id) {
        return id;
    }
}
