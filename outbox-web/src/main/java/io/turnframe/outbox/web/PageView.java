package io.turnframe.outbox.web;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.util.List;

/**
 * Some records.
 *
 * @param nextCursor where the next page starts, or null if this is the last
 */
@JsonbPropertyOrder({"entries", "nextCursor"})
public record PageView(List<RecordView> entries, String nextCursor) {}
