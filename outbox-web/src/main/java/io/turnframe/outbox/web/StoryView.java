package io.turnframe.outbox.web;

import io.turnframe.outbox.store.RecordStory;

/**
 * All that is known of an entry, as one caller may see it.
 *
 * @param payload JSON text, or null to leave it out
 */
public record StoryView(RecordStory story, String payload) {}
