-- +goose Up

-- How the caller felt by the latest review: sentiment is '' and frustration -1 where nothing is known.
ALTER TABLE calls ADD COLUMN sentiment TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN upset BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN frustration DOUBLE PRECISION NOT NULL DEFAULT -1;
-- A digest of everything whose change makes the call worth reviewing again, '' before its first review.
ALTER TABLE calls ADD COLUMN reviewed_by TEXT NOT NULL DEFAULT '';
CREATE INDEX calls_sentiment ON calls (workspace_id, sentiment, id) WHERE sentiment <> '';
CREATE INDEX calls_upset ON calls (workspace_id, id) WHERE upset = 1;

-- How far the recordings of production calls have come. source is a digest of
-- the address, state 'wanted', 'had' or 'failed', reason a clause for people.
CREATE TABLE fetches (
    call_id  TEXT COLLATE "C" PRIMARY KEY REFERENCES calls (id),
    source   TEXT NOT NULL,
    state    TEXT NOT NULL,
    tries    BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    reason   TEXT NOT NULL
);

-- Replays review history again, call by call in the order of their ids; cursor
-- is the last call that was looked at.
CREATE TABLE replays (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    scope        TEXT NOT NULL,
    state        TEXT NOT NULL,
    last_call    TEXT COLLATE "C" NOT NULL,
    total        BIGINT NOT NULL,
    reviewed     BIGINT NOT NULL,
    skipped      BIGINT NOT NULL,
    failed       BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    finished_at  BIGINT NOT NULL
);
CREATE INDEX replays_workspace ON replays (workspace_id, id);
