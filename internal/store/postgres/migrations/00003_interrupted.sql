-- +goose Up

-- Attempts that were broken off, to find the recordings that their calls do not keep.
CREATE INDEX attempts_interrupted ON attempts (ended_at) WHERE end_code = 'interrupted';
