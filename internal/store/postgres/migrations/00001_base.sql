-- +goose Up

-- Times are microseconds since 1970 UTC, 0 for none. Flags are 0 or 1. Text
-- that is not there is ''. Documents are JSON text.

CREATE TABLE workspaces (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL REFERENCES workspaces (id),
    name         TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    sha256       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    revoked_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX api_keys_prefix ON api_keys (prefix);
CREATE INDEX api_keys_workspace ON api_keys (workspace_id, id);

CREATE TABLE agents (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    name         TEXT NOT NULL,
    source_id    TEXT NOT NULL,
    defaults     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    deleted_at   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX agents_workspace ON agents (workspace_id, id);
CREATE UNIQUE INDEX agents_source ON agents (workspace_id, source_id) WHERE source_id <> '' AND deleted_at = 0;

CREATE TABLE datasets (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT NOT NULL,
    version      BIGINT NOT NULL,
    items        BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    deleted_at   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX datasets_workspace ON datasets (workspace_id, id);

CREATE TABLE dataset_versions (
    dataset_id TEXT COLLATE "C" NOT NULL REFERENCES datasets (id),
    version    BIGINT NOT NULL,
    items      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (dataset_id, version)
);

-- A row is one state of an item: it is part of the versions from from_version
-- up to and without until_version, 0 meaning that it still is. Its body lies
-- in payloads under (payload, 'item').
CREATE TABLE dataset_items (
    dataset_id    TEXT COLLATE "C" NOT NULL REFERENCES datasets (id),
    item_id       TEXT COLLATE "C" NOT NULL,
    from_version  BIGINT NOT NULL,
    until_version BIGINT NOT NULL,
    position      BIGINT NOT NULL,
    payload       TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (dataset_id, item_id, from_version)
);
CREATE INDEX dataset_items_position ON dataset_items (dataset_id, position);

CREATE TABLE prompts (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    slug         TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL,
    text         TEXT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX prompts_version ON prompts (workspace_id, slug, version);

CREATE TABLE scorers (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    slug         TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL,
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    optional     BIGINT NOT NULL,
    params       TEXT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX scorers_version ON scorers (workspace_id, slug, version);

-- thing is 'prompts' or 'scorers'.
CREATE TABLE labels (
    thing        TEXT COLLATE "C" NOT NULL,
    workspace_id TEXT COLLATE "C" NOT NULL,
    slug         TEXT COLLATE "C" NOT NULL,
    label        TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL,
    PRIMARY KEY (thing, workspace_id, slug, label)
);

CREATE TABLE experiments (
    id              TEXT COLLATE "C" PRIMARY KEY,
    workspace_id    TEXT COLLATE "C" NOT NULL,
    agent_id        TEXT COLLATE "C" NOT NULL,
    dataset_id      TEXT COLLATE "C" NOT NULL,
    dataset_version BIGINT NOT NULL,
    line            TEXT NOT NULL,
    to_number       TEXT NOT NULL,
    status          TEXT NOT NULL,
    verdict         TEXT NOT NULL,
    reason          TEXT NOT NULL,
    rerun_of        TEXT NOT NULL,
    plan            TEXT NOT NULL,
    counts          TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    started_at      BIGINT NOT NULL,
    finished_at     BIGINT NOT NULL
);
CREATE INDEX experiments_workspace ON experiments (workspace_id, id);

CREATE TABLE calls (
    id             TEXT COLLATE "C" PRIMARY KEY,
    workspace_id   TEXT COLLATE "C" NOT NULL,
    origin         TEXT NOT NULL,
    experiment_id  TEXT COLLATE "C" NOT NULL,
    item_id        TEXT COLLATE "C" NOT NULL,
    position       BIGINT NOT NULL,
    repetition     BIGINT NOT NULL,
    seed           BIGINT NOT NULL,
    agent_id       TEXT COLLATE "C" NOT NULL,
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
    created_at     BIGINT NOT NULL,
    started_at     BIGINT NOT NULL,
    answered_at    BIGINT NOT NULL,
    ended_at       BIGINT NOT NULL,
    recording      TEXT NOT NULL,
    external_id    TEXT NOT NULL,
    metadata       TEXT NOT NULL,
    -- The digits alone of the two numbers, to find a call by them.
    from_digits    TEXT NOT NULL,
    to_digits      TEXT NOT NULL,
    review_beat_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX calls_workspace ON calls (workspace_id, id);
CREATE INDEX calls_agent ON calls (workspace_id, agent_id, id);
CREATE INDEX calls_experiment ON calls (experiment_id, position, repetition) WHERE experiment_id <> '';
CREATE INDEX calls_numbers ON calls (workspace_id, to_digits, started_at) WHERE origin = 'simulated';
CREATE INDEX calls_in_review ON calls (review_beat_at) WHERE scoring_status = 'SCORING';

-- The metadata of calls once more, one row per key, to filter lists by.
CREATE TABLE call_metadata (
    call_id TEXT COLLATE "C" NOT NULL REFERENCES calls (id),
    name    TEXT COLLATE "C" NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (call_id, name)
);

CREATE TABLE attempts (
    id          TEXT COLLATE "C" PRIMARY KEY,
    call_id     TEXT COLLATE "C" NOT NULL REFERENCES calls (id),
    number      BIGINT NOT NULL,
    process     TEXT NOT NULL,
    started_at  BIGINT NOT NULL,
    ringing_at  BIGINT NOT NULL,
    answered_at BIGINT NOT NULL,
    ended_at    BIGINT NOT NULL,
    end_code    TEXT NOT NULL,
    end_blame   TEXT NOT NULL,
    end_detail  TEXT NOT NULL,
    rate        BIGINT NOT NULL,
    codec       TEXT NOT NULL,
    line_ref    TEXT NOT NULL,
    stats       TEXT NOT NULL,
    -- What the attempt counts against while it lives.
    trunk       TEXT NOT NULL,
    agent_id    TEXT COLLATE "C" NOT NULL,
    beat_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX attempts_number ON attempts (call_id, number);
CREATE INDEX attempts_alive ON attempts (beat_at) WHERE ended_at = 0;

CREATE TABLE submissions (
    id             TEXT COLLATE "C" PRIMARY KEY,
    workspace_id   TEXT COLLATE "C" NOT NULL,
    provider       TEXT NOT NULL,
    external_id    TEXT NOT NULL,
    call_id        TEXT COLLATE "C" NOT NULL,
    has_transcript BIGINT NOT NULL,
    received_at    BIGINT NOT NULL
);
CREATE INDEX submissions_external ON submissions (workspace_id, provider, external_id, id);
CREATE INDEX submissions_call ON submissions (call_id, id);

CREATE TABLE payloads (
    owner TEXT COLLATE "C" NOT NULL,
    kind  TEXT COLLATE "C" NOT NULL,
    body  BYTEA NOT NULL,
    PRIMARY KEY (owner, kind)
);

-- A gate is a row to lock: the limit of a trunk or an agent, or a workspace's
-- events. next_at is when the next call may start.
CREATE TABLE gates (
    name    TEXT COLLATE "C" PRIMARY KEY,
    next_at BIGINT NOT NULL
);

CREATE TABLE events (
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    at           BIGINT NOT NULL,
    body         TEXT NOT NULL
);
CREATE INDEX events_workspace ON events (workspace_id, seq);
CREATE INDEX events_age ON events (at);

CREATE TABLE idempotency_keys (
    workspace_id TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    digest       TEXT NOT NULL,
    result_id    TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, name)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- The processes that work jobs, by the queue's name for them.
CREATE TABLE queue_processes (
    id      TEXT COLLATE "C" PRIMARY KEY,
    beat_at TIMESTAMPTZ NOT NULL
);
