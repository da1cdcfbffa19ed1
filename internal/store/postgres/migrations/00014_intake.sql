-- +goose Up

-- Every index of a table is written with every call log. Each of these has
-- those that something asks for, and no more.

-- The submissions of a call are found by the call or by the platform's id of it.
ALTER TABLE submissions DROP CONSTRAINT submissions_pkey;
DROP INDEX submissions_call;
ALTER TABLE submissions ADD PRIMARY KEY (call_id, id);
DROP INDEX submissions_external;
ALTER TABLE submissions ALTER COLUMN provider TYPE TEXT COLLATE "C", ALTER COLUMN external_id TYPE TEXT COLLATE "C";
CREATE INDEX submissions_external ON submissions (workspace_id, provider, external_id);

-- The metadata of calls once more, one row per key, to filter lists by: start is
-- the first 64 characters of the value, rest what is behind them.
CREATE TABLE call_values (
    name    TEXT COLLATE "C" NOT NULL,
    start   TEXT COLLATE "C" NOT NULL,
    call_id TEXT COLLATE "C" NOT NULL,
    rest    TEXT COLLATE "C" NOT NULL
);
INSERT INTO call_values (name, start, call_id, rest)
    SELECT name, substr(value, 1, 64), call_id, substr(value, 65) FROM call_metadata WHERE length(name) <= 256;
DROP TABLE call_metadata;
ALTER TABLE call_values RENAME TO call_metadata;
ALTER TABLE call_metadata ADD PRIMARY KEY (name, start, call_id);

-- How long an agent's test calls took. Its production calls are listed from calls_listed.
DROP INDEX calls_agent;
CREATE INDEX calls_agent ON calls (workspace_id, agent_id, id) WHERE origin = 'simulated';
