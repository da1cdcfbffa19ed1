-- +goose Up

-- The views that people keep of a page: the query that narrows it, under a name.
-- person_id is NULL for one that was made with a key.
CREATE TABLE saved_views (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    person_id    TEXT,
    page         TEXT NOT NULL,
    name         TEXT NOT NULL,
    query        TEXT NOT NULL,
    shared       INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
);
CREATE INDEX saved_views_workspace ON saved_views (workspace_id, id);

-- Everything that a list of calls is narrowed by, in the order of the list: a
-- filter that few calls pass reads this index and not the calls.
DROP INDEX calls_workspace;
CREATE INDEX calls_listed ON calls (workspace_id, id, agent_id, origin, status, scoring_status, verdict, end_code, end_blame,
    sentiment, upset, created_at, experiment_id, item_id, from_digits, to_digits, external_id);

-- Finds the calls with a rare value; only the beginning of a value stands in the index.
CREATE INDEX call_metadata_value ON call_metadata (name, substr(value, 1, 64), call_id);
