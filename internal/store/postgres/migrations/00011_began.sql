-- +goose Up

-- Calls are listed by when they began, and not by when their logs arrived.
DROP INDEX calls_listed;
CREATE INDEX calls_listed ON calls (workspace_id, (CASE WHEN started_at > 0 THEN started_at ELSE created_at END), id, agent_id, origin, status,
    scoring_status, verdict, end_code, end_blame, sentiment, upset, experiment_id, item_id, from_digits, to_digits, external_id);
