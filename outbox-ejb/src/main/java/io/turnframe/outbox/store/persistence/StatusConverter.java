package io.turnframe.outbox.store.persistence;

import io.turnframe.outbox.OutboxStatus;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Statuses as their labels. */
@Converter
public class StatusConverter implements AttributeConverter<OutboxStatus, String> {
    @Override
    public String convertToDatabaseColumn(OutboxStatus status) {
        return status == null ? null : status.label();
    }

    @Override
    public OutboxStatus convertToEntityAttribute(String label) {
        return label == null ? null : OutboxStatus.ofLabel(label);
    }
}
