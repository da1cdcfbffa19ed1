-- +goose Up

-- How far the calls of an experiment have come is counted twice for each of them, in the transaction
-- that moves the call: from here, without going through the rows of all the others.
CREATE INDEX calls_tallied ON calls (experiment_id, status, scoring_status, verdict) WHERE experiment_id <> '';
