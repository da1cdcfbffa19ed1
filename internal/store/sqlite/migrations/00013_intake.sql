-- +goose Up

-- Every index of a table is written with every call log. Each of these has
-- those that something asks for, and no more.

-- The submissions of a call lie together, found by the call or by the platform's id of it.
CREATE TABLE submissions_of_calls (
    call_id        TEXT NOT NULL,
    id             TEXT NOT NULL,
    workspace_id   TEXT NOT NULL,
    provider       TEXT NOT NULL,
    external_id    TEXT NOT NULL,
    has_transcript INTEGER NOT NULL,
    received_at    INTEGER NOT NULL,
    digest         TEXT NOT NULL,
    kind           TEXT NOT NULL,
    PRIMARY KEY (call_id, id)
) WITHOUT ROWID;
INSERT INTO submissions_of_calls (call_id, id, workspace_id, provider, external_id, has_transcript, received_at, digest, kind)
    SELECT call_id, id, workspace_id, provider, external_id, has_transcript, received_at, digest, kind FROM submissions ORDER BY call_id, id;
DROP TABLE submissions;
ALTER TABLE submissions_of_calls RENAME TO submissions;
CREATE INDEX submissions_external ON submissions (workspace_id, provider, external_id);

-- The metadata of calls once more, one row per key, to filter lists by: start is
-- the first 64 characters of the value, rest what is behind them.
CREATE TABLE call_values (
    name    TEXT NOT NULL,
    start   TEXT NOT NULL,
    call_id TEXT NOT NULL,
    rest    TEXT NOT NULL,
    PRIMARY KEY (name, start, call_id)
) WITHOUT ROWID;
INSERT INTO call_values (name, start, call_id, rest)
    SELECT name, substr(value, 1, 64), call_id, substr(value, 65) FROM call_metadata WHERE length(name) <= 256 ORDER BY 1, 2, 3;
DROP TABLE call_metadata;
ALTER TABLE call_values RENAME TO call_metadata;

-- How long an agent's test calls took. Its production calls are listed from calls_listed.
DROP INDEX calls_agent;
CREATE INDEX calls_agent ON calls (workspace_id, agent_id, id) WHERE origin = 'simulated';
