-- +goose Up

-- The calls that wait to be reviewed are few, and every page of monitoring asks for them. They are in
-- the order in which they came, so that calls that come together are put side by side.
CREATE INDEX calls_waiting ON calls (workspace_id, origin, id, agent_id, begun_at)
    WHERE status = 'ENDED' AND scoring_status IN ('PENDING', 'SCORING');
