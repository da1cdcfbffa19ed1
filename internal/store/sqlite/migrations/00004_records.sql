-- +goose Up

-- digest tells submissions of one call apart: those with the same digest are
-- the same. kind is 'log', or 'patch' for what a client added later.
ALTER TABLE submissions ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN kind TEXT NOT NULL DEFAULT 'log';
UPDATE submissions SET digest = id;
-- A record is all that a submission tells of a call; what was a transcript is a part of it.
UPDATE payloads SET kind = 'record' WHERE kind = 'transcript';

-- agent_ref is the source id of the agent as the call's records tell it,
-- agent_inferred says that it is the platform's own id of the agent. kept is how
-- much of the call may be kept: '' for everything.
ALTER TABLE calls ADD COLUMN agent_ref TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN agent_inferred INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN kept TEXT NOT NULL DEFAULT '';
CREATE INDEX calls_unlinked ON calls (workspace_id, agent_ref, id) WHERE agent_id = '' AND agent_ref <> '';
