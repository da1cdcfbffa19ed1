-- +goose Up

-- One row per transaction that was committed lately, by a name it drew itself:
-- when the connection breaks during a commit, it tells what became of it.
CREATE TABLE commits (
    name UUID PRIMARY KEY,
    at   TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX commits_at ON commits (at);
