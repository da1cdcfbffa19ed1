-- +goose Up

-- One narrow row per settled call: what monitoring counts.
CREATE TABLE monitor_facts (
    call_id      TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    agent_id     TEXT COLLATE "C" NOT NULL,
    at           BIGINT NOT NULL,
    -- The group of a failed call, '' for others.
    failure      TEXT COLLATE "C" NOT NULL,
    -- The agent's last words, shortened and masked, of a call that failed or was left early.
    act          TEXT COLLATE "C" NOT NULL,
    upset        BIGINT NOT NULL,
    quote        TEXT COLLATE "C" NOT NULL,
    figures      BYTEA NOT NULL
);
CREATE INDEX monitor_facts_at ON monitor_facts (workspace_id, origin, at);
CREATE INDEX monitor_facts_upset ON monitor_facts (workspace_id, origin, at, call_id) WHERE upset = 1;
CREATE INDEX monitor_facts_upset_agent ON monitor_facts (workspace_id, origin, agent_id, at, call_id) WHERE upset = 1;
CREATE INDEX monitor_facts_failure ON monitor_facts (workspace_id, origin, failure, at, call_id) WHERE failure <> '';
CREATE INDEX monitor_facts_failure_agent ON monitor_facts (workspace_id, origin, agent_id, failure, at, call_id) WHERE failure <> '';
CREATE INDEX monitor_facts_act ON monitor_facts (workspace_id, act) WHERE act <> '';

-- Hours whose facts have changed since their buckets were made.
CREATE TABLE monitor_marks (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    hour         BIGINT NOT NULL
);
CREATE INDEX monitor_marks_workspace ON monitor_marks (workspace_id, id);

-- The buckets: a row holds a day (since 1970, UTC) of one series. light is what
-- charts need of its 24 hours, total the spread of the whole day, hours that of
-- each hour. agent_id narrows a dimension to one agent, dim '' stands for all calls.
CREATE TABLE monitor_rolls (
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    agent_id     TEXT COLLATE "C" NOT NULL,
    dim          TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    day          BIGINT NOT NULL,
    light        BYTEA NOT NULL,
    total        BYTEA NOT NULL,
    hours        BYTEA NOT NULL,
    PRIMARY KEY (workspace_id, origin, agent_id, dim, value, day)
);
CREATE INDEX monitor_rolls_day ON monitor_rolls (workspace_id, origin, day);
CREATE INDEX monitor_rolls_watched ON monitor_rolls (origin, day, workspace_id, dim, value) WHERE agent_id = '' AND dim IN ('', 'agent');

-- What was found in the history of all calls (dim '') and of each agent's, up to
-- until_at. redo is the first hour before it that has changed since, 0 for none.
CREATE TABLE monitor_reports (
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    dim          TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    until_at     BIGINT NOT NULL,
    redo         BIGINT NOT NULL,
    taken_at     BIGINT NOT NULL,
    found        BYTEA NOT NULL,
    bands        BYTEA NOT NULL,
    PRIMARY KEY (workspace_id, origin, dim, value)
);

-- The texts that buckets hold as numbers.
CREATE TABLE monitor_texts (
    workspace_id TEXT COLLATE "C" NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    number       BIGINT NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    -- What more there is to say of a failure group, whose value is its key.
    detail       TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, kind, number)
);
CREATE UNIQUE INDEX monitor_texts_value ON monitor_texts (workspace_id, kind, value);

-- The metadata keys that a workspace declares as dimensions. origin and since
-- say which facts do not have them yet, origin '' that all have.
CREATE TABLE monitor_dimensions (
    workspace_id TEXT COLLATE "C" PRIMARY KEY,
    names        TEXT COLLATE "C" NOT NULL,
    changed_at   BIGINT NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    since        BIGINT NOT NULL
);
CREATE INDEX monitor_dimensions_old ON monitor_dimensions (changed_at) WHERE origin <> '';

-- Whoever makes buckets anew holds this row.
INSERT INTO gates (name, next_at) VALUES ('monitor', 0);
