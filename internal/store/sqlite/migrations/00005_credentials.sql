-- +goose Up

-- What opens the recordings of a host, sealed with the key of that id. One of
-- header and query is the name of what carries the token, the other is ''.
CREATE TABLE recording_credentials (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    host         TEXT NOT NULL,
    header       TEXT NOT NULL,
    query        TEXT NOT NULL,
    sealed       TEXT NOT NULL,
    key_id       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
);
CREATE UNIQUE INDEX recording_credentials_host ON recording_credentials (workspace_id, host);

-- A workspace's keys at the voice platforms, sealed the same way.
CREATE TABLE platform_keys (
    workspace_id TEXT NOT NULL,
    provider     TEXT NOT NULL,
    sealed       TEXT NOT NULL,
    key_id       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, provider)
);
