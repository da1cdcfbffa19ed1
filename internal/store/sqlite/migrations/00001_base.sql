-- +goose Up

-- Times are microseconds since 1970 UTC, 0 for none. Flags are 0 or 1. Text
-- that is not there is ''. Documents are JSON text.

CREATE TABLE workspaces (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE api_keys (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name         TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    sha256       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    revoked_at   INTEGER NOT NULL
);
CREATE UNIQUE INDEX api_keys_prefix ON api_keys (prefix);
CREATE INDEX api_keys_workspace ON api_keys (workspace_id, id);

CREATE TABLE agents (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name         TEXT NOT NULL,
    source_id    TEXT NOT NULL,
    defaults     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX agents_workspace ON agents (workspace_id, id);
CREATE UNIQUE INDEX agents_source ON agents (workspace_id, source_id) WHERE source_id <> '' AND deleted_at = 0;

CREATE TABLE datasets (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT NOT NULL,
    version      INTEGER NOT NULL,
    items        INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX datasets_workspace ON datasets (workspace_id, id);

CREATE TABLE dataset_versions (
    dataset_id TEXT NOT NULL REFERENCES datasets (id),
    version    INTEGER NOT NULL,
    items      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (dataset_id, version)
);

-- A row is one state of an item: it is part of the versions from from_version
-- up to and without until_version, 0 meaning that it still is. Its body lies
-- in payloads under (payload, 'item').
CREATE TABLE dataset_items (
    dataset_id    TEXT NOT NULL REFERENCES datasets (id),
    item_id       TEXT NOT NULL,
    from_version  INTEGER NOT NULL,
    until_version INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    payload       TEXT NOT NULL,
    PRIMARY KEY (dataset_id, item_id, from_version)
);
CREATE INDEX dataset_items_position ON dataset_items (dataset_id, position);

CREATE TABLE prompts (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    slug         TEXT NOT NULL,
    version      INTEGER NOT NULL,
    text         TEXT NOT NULL,
    created_at   INTEGER NOT NULL
);
CREATE UNIQUE INDEX prompts_version ON prompts (workspace_id, slug, version);

CREATE TABLE scorers (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    slug         TEXT NOT NULL,
    version      INTEGER NOT NULL,
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    optional     INTEGER NOT NULL,
    params       TEXT NOT NULL,
    created_at   INTEGER NOT NULL
);
CREATE UNIQUE INDEX scorers_version ON scorers (workspace_id, slug, version);

-- thing is 'prompts' or 'scorers'.
CREATE TABLE labels (
    thing        TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    slug         TEXT NOT NULL,
    label        TEXT NOT NULL,
    version      INTEGER NOT NULL,
    PRIMARY KEY (thing, workspace_id, slug, label)
);

CREATE TABLE experiments (
    id              TEXT PRIMARY KEY,
    workspace_id    TEXT NOT NULL,
    agent_id        TEXT NOT NULL,
    dataset_id      TEXT NOT NULL,
    dataset_version INTEGER NOT NULL,
    line            TEXT NOT NULL,
    to_number       TEXT NOT NULL,
    status          TEXT NOT NULL,
    verdict         TEXT NOT NULL,
    reason          TEXT NOT NULL,
    rerun_of        TEXT NOT NULL,
    plan            TEXT NOT NULL,
    counts          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    started_at      INTEGER NOT NULL,
    finished_at     INTEGER NOT NULL
);
CREATE INDEX experiments_workspace ON experiments (workspace_id, id);

CREATE TABLE calls (
    id             TEXT PRIMARY KEY,
    workspace_id   TEXT NOT NULL,
    origin         TEXT NOT NULL,
    experiment_id  TEXT NOT NULL,
    item_id        TEXT NOT NULL,
    position       INTEGER NOT NULL,
    repetition     INTEGER NOT NULL,
    seed           INTEGER NOT NULL,
    agent_id       TEXT NOT NULL,
    line           TEXT NOT NULL,
    trunk          TEXT NOT NULL,
    status         TEXT NOT NULL,
    scoring_status TEXT NOT NULL,
    verdict        TEXT NOT NULL,
    verdict_reason TEXT NOT NULL,
    end_code       TEXT NOT NULL,
    end_blame      TEXT NOT NULL,
    end_detail     TEXT NOT NULL,
    from_number    TEXT NOT NULL,
    to_number      TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    started_at     INTEGER NOT NULL,
    answered_at    INTEGER NOT NULL,
    ended_at       INTEGER NOT NULL,
    recording      TEXT NOT NULL,
    external_id    TEXT NOT NULL,
    metadata       TEXT NOT NULL,
    -- The digits alone of the two numbers, to find a call by them.
    from_digits    TEXT NOT NULL,
    to_digits      TEXT NOT NULL,
    review_beat_at INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX calls_workspace ON calls (workspace_id, id);
CREATE INDEX calls_agent ON calls (workspace_id, agent_id, id);
CREATE INDEX calls_experiment ON calls (experiment_id, position, repetition) WHERE experiment_id <> '';
CREATE INDEX calls_numbers ON calls (workspace_id, to_digits, started_at) WHERE origin = 'simulated';
CREATE INDEX calls_in_review ON calls (review_beat_at) WHERE scoring_status = 'SCORING';

-- The metadata of calls once more, one row per key, to filter lists by.
CREATE TABLE call_metadata (
    call_id TEXT NOT NULL REFERENCES calls (id),
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (call_id, name)
);

CREATE TABLE attempts (
    id          TEXT PRIMARY KEY,
    call_id     TEXT NOT NULL REFERENCES calls (id),
    number      INTEGER NOT NULL,
    process     TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ringing_at  INTEGER NOT NULL,
    answered_at INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    end_code    TEXT NOT NULL,
    end_blame   TEXT NOT NULL,
    end_detail  TEXT NOT NULL,
    rate        INTEGER NOT NULL,
    codec       TEXT NOT NULL,
    line_ref    TEXT NOT NULL,
    stats       TEXT NOT NULL,
    -- What the attempt counts against while it lives.
    trunk       TEXT NOT NULL,
    agent_id    TEXT NOT NULL,
    beat_at     INTEGER NOT NULL
);
CREATE UNIQUE INDEX attempts_number ON attempts (call_id, number);
CREATE INDEX attempts_alive ON attempts (beat_at) WHERE ended_at = 0;

CREATE TABLE submissions (
    id             TEXT PRIMARY KEY,
    workspace_id   TEXT NOT NULL,
    provider       TEXT NOT NULL,
    external_id    TEXT NOT NULL,
    call_id        TEXT NOT NULL,
    has_transcript INTEGER NOT NULL,
    received_at    INTEGER NOT NULL
);
CREATE INDEX submissions_external ON submissions (workspace_id, provider, external_id, id);
CREATE INDEX submissions_call ON submissions (call_id, id);

CREATE TABLE payloads (
    owner TEXT NOT NULL,
    kind  TEXT NOT NULL,
    body  BLOB NOT NULL,
    PRIMARY KEY (owner, kind)
);

-- A gate is a row to lock: the limit of a trunk or an agent, or a workspace's
-- events. next_at is when the next call may start.
CREATE TABLE gates (
    name    TEXT PRIMARY KEY,
    next_at INTEGER NOT NULL
);

CREATE TABLE events (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL,
    at           INTEGER NOT NULL,
    body         TEXT NOT NULL
);
CREATE INDEX events_workspace ON events (workspace_id, seq);
CREATE INDEX events_age ON events (at);

CREATE TABLE idempotency_keys (
    workspace_id TEXT NOT NULL,
    name         TEXT NOT NULL,
    digest       TEXT NOT NULL,
    result_id    TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, name)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
