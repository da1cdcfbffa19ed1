-- +goose Up

-- The payload of a submission is its body alone from here on, and what it tells is
-- read from that. Nothing that is stored changes; a program that does not know how
-- refuses the database instead of failing call by call.
SELECT 1;
