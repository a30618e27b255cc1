package io.turnframe.outbox.batch;

import io.turnframe.outbox.store.ConfigValues;

/** What the admin resource is told by the configuration. Read at each call, so that it can be switched while it runs. */
public final class AdminSettings {
    private AdminSettings() {}

    /**
     * Whether entries may be enqueued over REST.
     *
     * @throws IllegalArgumentException naming key, value and remedy
     */
    public static boolean mayEnqueue(ConfigValues values) {
        return values.flag("outbox.admin.enqueue", false);
    }

    /**
     * Whether it takes two operators to have an entry of unknown outcome sent again.
     *
     * @throws IllegalArgumentException naming key, value and remedy
     */
    public static boolean needsSecondPerson(ConfigValues values) {
        return values.flag("outbox.admin.second-person", false);
    }
}
