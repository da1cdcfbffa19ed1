-- +goose Up

-- Calls that were never answered are reviewed too, and wait for it as others do. All calls that are yet to be
-- reviewed stand here, those too that are not over, so that lists of them need not read through every call.
DROP INDEX calls_waiting;
CREATE INDEX calls_waiting ON calls (workspace_id, origin, id, status, agent_id, begun_at)
    WHERE scoring_status IN ('PENDING', 'SCORING');
