-- +goose Up

-- The room in which a call's agent is met, '' on the telephone.
ALTER TABLE calls ADD COLUMN room TEXT NOT NULL DEFAULT '';

-- The rooms of calls, until they have been removed from the media server.
-- server is the process whose own media server has the room, '' for one that all reach.
CREATE TABLE rooms (
    call_id       TEXT COLLATE "C" PRIMARY KEY REFERENCES calls (id),
    experiment_id TEXT COLLATE "C" NOT NULL,
    server        TEXT NOT NULL,
    state         TEXT NOT NULL,
    agent_name    TEXT NOT NULL
);
