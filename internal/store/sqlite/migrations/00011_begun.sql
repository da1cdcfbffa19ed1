-- +goose Up

-- When a call took place: it began, or was created when it never began. Lists
-- of calls are in this order. It is a column because of an expression, or a
-- generated column, databases read the row although it is in the index.
ALTER TABLE calls ADD COLUMN begun_at INTEGER NOT NULL DEFAULT 0;
UPDATE calls SET begun_at = CASE WHEN started_at <> 0 THEN started_at ELSE created_at END;

-- Everything that a list of calls is narrowed by, in the order of the list: a
-- filter that few calls pass reads this index and not the calls.
DROP INDEX calls_listed;
CREATE INDEX calls_listed ON calls (workspace_id, begun_at, id, agent_id, origin, status, scoring_status, verdict, end_code,
    end_blame, sentiment, upset, experiment_id, item_id, from_digits, to_digits, external_id);
