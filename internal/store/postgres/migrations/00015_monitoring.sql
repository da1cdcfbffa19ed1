-- +goose Up

-- Examples of failed calls stand in the buckets. What is left to find here is
-- whether any call still has a text.
DROP INDEX monitor_facts_failure;
DROP INDEX monitor_facts_failure_agent;
CREATE INDEX monitor_facts_failure ON monitor_facts (workspace_id, failure) WHERE failure <> '';

-- The calls of upset callers by the values of their dimensions: a list of those
-- with one value reads no others.
CREATE TABLE monitor_upset (
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    dim          TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    at           BIGINT NOT NULL,
    call_id      TEXT COLLATE "C" NOT NULL,
    agent_id     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, origin, dim, value, at, call_id)
);

-- Buckets are made of the facts alone, so those of an earlier form go, and all
-- hours with calls are to be counted anew. A row of monitor_rolls holds a day
-- (since 1970, UTC) of one series: light is what charts need of its 24 hours,
-- hours how each of them is spread, failed the latest failed calls of each.
-- agent_id narrows a dimension to one agent, dim '' stands for all calls.
DROP TABLE monitor_rolls;
CREATE TABLE monitor_rolls (
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    agent_id     TEXT COLLATE "C" NOT NULL,
    dim          TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    day          BIGINT NOT NULL,
    light        BYTEA NOT NULL,
    hours        BYTEA NOT NULL,
    failed       BYTEA NOT NULL,
    PRIMARY KEY (workspace_id, origin, agent_id, dim, value, day)
);
CREATE INDEX monitor_rolls_day ON monitor_rolls (workspace_id, origin, day);
CREATE INDEX monitor_rolls_watched ON monitor_rolls (origin, day, workspace_id, dim, value) WHERE agent_id = '';

-- A week of one series, from Monday on: whole is all of it with its days in
-- short, days how each of them is spread, failed the latest failed calls of each
-- and of the week. Questions over many days read these.
CREATE TABLE monitor_weeks (
    workspace_id TEXT COLLATE "C" NOT NULL,
    origin       TEXT COLLATE "C" NOT NULL,
    agent_id     TEXT COLLATE "C" NOT NULL,
    dim          TEXT COLLATE "C" NOT NULL,
    value        TEXT COLLATE "C" NOT NULL,
    week         BIGINT NOT NULL,
    whole        BYTEA NOT NULL,
    days         BYTEA NOT NULL,
    failed       BYTEA NOT NULL,
    PRIMARY KEY (workspace_id, origin, agent_id, dim, value, week)
);
INSERT INTO monitor_marks (id, workspace_id, origin, hour)
    SELECT 'mark_' || replace(gen_random_uuid()::text, '-', ''), workspace_id, origin, at / 3600000000 * 3600000000
    FROM monitor_facts GROUP BY workspace_id, origin, at / 3600000000;

-- Where the hours of a workspace's week are counted; '' is UTC.
ALTER TABLE monitor_dimensions ADD COLUMN time_zone TEXT COLLATE "C" NOT NULL DEFAULT '';

-- Bringing the facts up to date with the dimensions fills monitor_upset.
INSERT INTO monitor_dimensions (workspace_id, names, changed_at, origin, since)
    SELECT DISTINCT workspace_id, '[]', 0, 'production', 0 FROM monitor_facts WHERE upset = 1
    ON CONFLICT (workspace_id) DO UPDATE SET origin = 'production', since = 0;
