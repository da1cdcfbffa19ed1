-- +goose Up

-- What a minute of a call costs a workspace: currency, trunks, rooms, speech, model (JSON).
CREATE TABLE prices (
    workspace_id TEXT PRIMARY KEY,
    prices       TEXT NOT NULL
);
