package io.turnframe.outbox.store.persistence;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.UUID;

/**
 * A UUID as it is, absent or not: EclipseLink's own conversion fails on a null that it reads. Where ids are kept as text,
 * the text is read.
 */
@Converter
public class NullableUuidConverter implements AttributeConverter<UUID, Object> {
    @Override
    public Object convertToDatabaseColumn(UUID id) {
        return id;
    }

    @Override
    public UUID convertToEntityAttribute(Object id) {
        return id == null || id instanceof UUID ? (UUID) id : UUID.fromString(id.toString());
    }
}
