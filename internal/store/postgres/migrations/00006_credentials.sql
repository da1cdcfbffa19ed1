-- +goose Up

-- What opens the recordings of a host, sealed with the key of that id. One of
-- header and query is the name of what carries the token, the other is ''.
CREATE TABLE recording_credentials (
    id           TEXT COLLATE "C" PRIMARY KEY,
    workspace_id TEXT COLLATE "C" NOT NULL,
    host         TEXT COLLATE "C" NOT NULL,
    header       TEXT NOT NULL,
    query        TEXT NOT NULL,
    sealed       TEXT NOT NULL,
    key_id       TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX recording_credentials_host ON recording_credentials (workspace_id, host);

-- A workspace's keys at the voice platforms, sealed the same way.
CREATE TABLE platform_keys (
    workspace_id TEXT COLLATE "C" NOT NULL,
    provider     TEXT COLLATE "C" NOT NULL,
    sealed       TEXT NOT NULL,
    key_id       TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, provider)
);
