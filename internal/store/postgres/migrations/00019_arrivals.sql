-- +goose Up

-- Payloads are packed when they come here: to pack them once more costs time and
-- gains nothing. Those of which two fit on a page stay in their row.
ALTER TABLE payloads ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE payloads SET (toast_tuple_target = 4064);

-- The submissions of a call are found by the platform's id of it first: behind the
-- workspace, a plan made for a small table reads all submissions of the workspace.
DROP INDEX submissions_external;
CREATE INDEX submissions_external ON submissions (external_id, workspace_id, provider);

-- Arrivals are kept apart by locks that leave nothing on disk.
DELETE FROM gates WHERE name LIKE 'arrival:%';
