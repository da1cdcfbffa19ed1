-- +goose Up

-- Reviews of a call are numbered as they begin. The stored one's number tells another, which ends after
-- it, whether it began earlier and so may know less.
ALTER TABLE calls ADD COLUMN reviews_begun BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN review_stored BIGINT NOT NULL DEFAULT 0;
