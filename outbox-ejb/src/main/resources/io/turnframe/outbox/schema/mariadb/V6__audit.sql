-- What operators did. Rows are added and never changed, and stay when their entry is purged.
CREATE TABLE IF NOT EXISTS tf_outbox_audit (
    audit_id    CHAR(36) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
    acted_at    DATETIME(6) NOT NULL,
    actor       VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
    act         VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    outbox_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    -- The entry's attempt_count at the time.
    attempt     INTEGER,
    destination VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin,
    from_status VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin,
    to_status   VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin,
    note        VARCHAR(512) CHARACTER SET utf8mb4,
    detail      VARCHAR(512) CHARACTER SET utf8mb4,
    INDEX tf_outbox_audit_entry (outbox_id, acted_at),
    INDEX tf_outbox_audit_newest (acted_at DESC, audit_id ASC)
) ENGINE = InnoDB;
