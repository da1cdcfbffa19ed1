-- +goose Up

-- The first hour whose figures have changed since a process set out to look at the series:
-- redo alone does not tell one that changed again meanwhile.
ALTER TABLE monitor_reports ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
