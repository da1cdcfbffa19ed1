-- +goose Up

-- What charts read of a day and of a week stays in its row: PostgreSQL would move
-- most of it to the side, as rows are long, and then look up each piece of it on
-- its own. The columns that are read seldom go aside as before. Rows that are
-- there already are written anew; there are as many as days, however many calls.
ALTER TABLE monitor_weeks ALTER COLUMN whole SET STORAGE MAIN;
ALTER TABLE monitor_rolls ALTER COLUMN light SET STORAGE MAIN;
UPDATE monitor_weeks SET whole = whole || ''::bytea;
UPDATE monitor_rolls SET light = light || ''::bytea;
