-- +goose Up

-- The calls whose scoring failed or was left out are few, and none at all as a rule: a list of them
-- would read through every call to find that out. Nothing is written here when a call arrives.
CREATE INDEX calls_unscored ON calls (workspace_id, scoring_status, begun_at, id)
    WHERE scoring_status IN ('SCORING_FAILED', 'SKIPPED');
