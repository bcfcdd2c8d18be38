// The tables, as a list of migrations: the file's `user_version` counts how many of them it has had.

/** Only ever appended to: a released migration is never changed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE tasks (
    task            INTEGER PRIMARY KEY,  -- the key that every other table uses
    id              TEXT NOT NULL UNIQUE,
    owner           TEXT NOT NULL,
    context_id      TEXT NOT NULL,
    state           INTEGER NOT NULL,     -- the number of the TaskState in the proto
    status          TEXT NOT NULL,        -- TaskStatus as JSON
    status_time     INTEGER NOT NULL,     -- its timestamp in ms
    history         TEXT NOT NULL,        -- Message[] as JSON
    artifacts_size  INTEGER NOT NULL,     -- characters of the snapshot of its artifacts; 0 if it has none
    artifacts_tail  INTEGER NOT NULL,     -- characters of the artifact events after that snapshot
    metadata        TEXT,                 -- Struct as JSON
    last_event      INTEGER NOT NULL,
    due             INTEGER,              -- its place in the order of work; null when there is nothing to do
    wait            TEXT,                 -- the key of the call that it waits in
    expires_at      INTEGER,              -- when that wait ends, in ms
    cancel          TEXT                  -- the CancelTask request as JSON, once there is one
  ) STRICT;
  CREATE INDEX tasks_by_time    ON tasks (owner, status_time DESC, task DESC);
  CREATE INDEX tasks_by_context ON tasks (context_id, owner, status_time DESC, task DESC);
  CREATE INDEX tasks_by_state   ON tasks (owner, state, status_time DESC, task DESC);
  CREATE INDEX tasks_due        ON tasks (due) WHERE due IS NOT NULL;
  CREATE INDEX tasks_expiring   ON tasks (expires_at) WHERE expires_at IS NOT NULL;

  -- The log. place = task * 2^24 + n, so that a task's events lie together and are found without a second index.
  CREATE TABLE events (
    place   INTEGER PRIMARY KEY,
    state   INTEGER,                      -- of a task or status event
    frame   TEXT NOT NULL,                -- StreamResponse as JSON
    history TEXT                          -- Message[] that the event adds to the history, as JSON
  ) STRICT;

  -- The artifacts of each task as of one of its events. Not in the task's row, since SQLite writes a row whole, and a
  -- row is written at each chunk.
  CREATE TABLE snapshots (
    task      INTEGER PRIMARY KEY,
    event     INTEGER NOT NULL,
    artifacts TEXT NOT NULL               -- Artifact[] as JSON
  ) STRICT;

  -- What each call of an agent's run came to, by the call's key.
  CREATE TABLE records (
    record INTEGER PRIMARY KEY,           -- in the order of recording
    task   INTEGER NOT NULL,
    key    TEXT NOT NULL,
    value  TEXT NOT NULL,
    UNIQUE (task, key)
  ) STRICT;

  -- The messages that were accepted, so that a repeat is known.
  CREATE TABLE messages (
    owner      TEXT NOT NULL,
    message_id TEXT NOT NULL,
    digest     TEXT NOT NULL,
    task       INTEGER NOT NULL,
    PRIMARY KEY (owner, message_id)
  ) STRICT, WITHOUT ROWID;

  -- How many tasks an owner has in each state.
  CREATE TABLE counts (
    owner TEXT NOT NULL,
    state INTEGER NOT NULL,
    tasks INTEGER NOT NULL,
    PRIMARY KEY (owner, state)
  ) STRICT, WITHOUT ROWID;

  -- What an operator is asked to approve, and what became of it.
  CREATE TABLE authorizations (
    task       INTEGER NOT NULL,
    digest     TEXT NOT NULL,             -- of the operation's canonical JSON
    operation  TEXT NOT NULL,
    asked_at   INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    outcome    TEXT,                      -- approved, denied, expired, void; null while it is open
    decided_by TEXT,
    decided_at INTEGER,
    reason     TEXT,
    PRIMARY KEY (task, digest)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- How many of its push configs take events, so that an event of a task without any asks nothing.
  ALTER TABLE tasks ADD COLUMN push INTEGER NOT NULL DEFAULT 0;

  -- Where a task's events are sent to. A key is never given again: what is still under way for a deleted config finds nothing.
  CREATE TABLE push_configs (
    config      INTEGER PRIMARY KEY AUTOINCREMENT,
    task        INTEGER NOT NULL,
    id          TEXT NOT NULL,
    url         TEXT NOT NULL,
    token       TEXT,
    scheme      TEXT,
    credentials TEXT,
    version     TEXT NOT NULL,            -- of the protocol, as its client speaks it
    delivered   INTEGER NOT NULL,         -- the last event that the receiver acknowledged, or that came before the config
    failures    INTEGER NOT NULL,         -- tries in a row that failed
    due         INTEGER NOT NULL,         -- 1 if there are events after \`delivered\` to send
    failing     INTEGER NOT NULL,         -- 1 if it was given up
    UNIQUE (task, id)
  ) STRICT;
  CREATE INDEX push_configs_due ON push_configs (task, config) WHERE due = 1;
  `,
  `
  ALTER TABLE authorizations ADD COLUMN call TEXT;       -- the key of the call whose decision it holds
  ALTER TABLE authorizations ADD COLUMN used_by TEXT;    -- the key of the step that an approval was used for
  ALTER TABLE authorizations ADD COLUMN used_at INTEGER;
  ALTER TABLE authorizations ADD COLUMN live INTEGER;    -- 1 while it waits for a decision, or is approved and not used yet
  UPDATE authorizations SET call = (SELECT key FROM records WHERE records.task = authorizations.task
    AND key GLOB 'authorize:' || digest || '#*' ORDER BY record DESC LIMIT 1);
  UPDATE authorizations SET live = 1 FROM tasks WHERE tasks.task = authorizations.task
    AND tasks.state NOT IN (3, 4, 5, 7) AND (outcome IS NULL OR outcome = 'approved');
  UPDATE records SET value = json_set(value, '$.digest', substr(key, 11, 64))
    WHERE key GLOB 'authorize:*' AND json_extract(value, '$.outcome') != 'message';
  CREATE INDEX authorizations_live ON authorizations (task, digest) WHERE live = 1;

  -- Who did what to which request, and when. Says enough by itself: it stays when the task is gone.
  CREATE TABLE audit (
    entry      INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,          -- ms since the epoch
    action     TEXT NOT NULL,             -- asked, message, approved, denied, revoked, used, expired, void
    task_id    TEXT NOT NULL,
    context_id TEXT NOT NULL,
    requester  TEXT NOT NULL,             -- the owner of the task
    digest     TEXT NOT NULL,
    operation  TEXT NOT NULL,
    by         TEXT,                      -- an operator or a caller by name, the agent, the step that used it; null for what time did
    reason     TEXT
  ) STRICT;
  CREATE INDEX audit_by_task ON audit (task_id);
  CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
  CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
  -- REPLACE deletes without asking the trigger above.
  CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE entry = NEW.entry)
    BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
  `,
  `
  -- What a task has emitted as artifacts: how many, and the bytes of their events. Tasks of before begin at nothing.
  ALTER TABLE tasks ADD COLUMN artifacts INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN artifact_bytes INTEGER NOT NULL DEFAULT 0;

  -- The tasks that have ended, by when: what is due to be purged is at its front. The states are those of isTerminal.
  CREATE INDEX tasks_ended ON tasks (status_time) WHERE state IN (3, 4, 5, 7);
  `,
  `
  -- The trace that the task belongs to, as a header says it; null for tasks that are older than this.
  ALTER TABLE tasks ADD COLUMN trace TEXT;

  -- What is counted for those who watch over the agent; the first characters of a wait's key say what it waits for.
  CREATE INDEX tasks_waiting        ON tasks (substr(wait, 1, 3), status_time) WHERE wait IS NOT NULL;
  CREATE INDEX push_configs_failing ON push_configs (config) WHERE failing = 1;

  -- Written now and then, to know whether the disk takes anything.
  CREATE TABLE writable (one INTEGER PRIMARY KEY, checks INTEGER NOT NULL) STRICT;
  `,
  `
  -- The artifacts as of one of the task's events, while they are small: then a task is read and written as one row.
  ALTER TABLE tasks ADD COLUMN snapshot TEXT;
  ALTER TABLE tasks ADD COLUMN snapshot_event INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Rising, so that a new task comes last in its owner's part: at the front of one, SQLite divides pages again and again.
  DROP INDEX tasks_by_time;
  DROP INDEX tasks_by_context;
  DROP INDEX tasks_by_state;
  CREATE INDEX tasks_by_time    ON tasks (owner, status_time);
  CREATE INDEX tasks_by_context ON tasks (context_id, owner, status_time);
  CREATE INDEX tasks_by_state   ON tasks (owner, state, status_time);
  -- Without IN, for which SQLite makes a table at each insert.
  DROP INDEX tasks_ended;
  CREATE INDEX tasks_ended ON tasks (status_time) WHERE state = 3 OR state = 4 OR state = 5 OR state = 7;
  `,
]
