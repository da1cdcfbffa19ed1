-- +goose Up

-- Who made a key: the id of a person or of a key and what it was called then, '' when it was made at the command line.
ALTER TABLE api_keys ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN made_by_name TEXT NOT NULL DEFAULT '';

-- People. An address of e-mail is in lower case. password is an argon2id hash, ''
-- for none; subject is who a person is for the identity provider, '' when nobody.
CREATE TABLE persons (
    id         TEXT PRIMARY KEY,
    email      TEXT NOT NULL,
    name       TEXT NOT NULL,
    password   TEXT NOT NULL,
    subject    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX persons_email ON persons (email);
CREATE UNIQUE INDEX persons_subject ON persons (subject) WHERE subject <> '';

CREATE TABLE members (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    person_id    TEXT NOT NULL REFERENCES persons (id),
    role         TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, person_id)
);
CREATE INDEX members_person ON members (person_id);

-- Who is signed in. sha256 is the digest of what the cookie holds, workspace_id
-- the workspace that is looked at, '' for none, way how the person came in.
CREATE TABLE sessions (
    sha256       TEXT PRIMARY KEY,
    person_id    TEXT NOT NULL REFERENCES persons (id),
    workspace_id TEXT NOT NULL,
    way          TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    seen_at      INTEGER NOT NULL,
    ends_at      INTEGER NOT NULL
);
CREATE INDEX sessions_person ON sessions (person_id);
CREATE INDEX sessions_ends ON sessions (ends_at);

CREATE TABLE invitations (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    email        TEXT NOT NULL,
    role         TEXT NOT NULL,
    sha256       TEXT NOT NULL,
    made_by      TEXT NOT NULL,
    made_by_name TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    ends_at      INTEGER NOT NULL
);
CREATE UNIQUE INDEX invitations_sha256 ON invitations (sha256);
CREATE UNIQUE INDEX invitations_email ON invitations (email, workspace_id);
CREATE INDEX invitations_workspace ON invitations (workspace_id, id);

-- Tokens that open once: kind is 'setup' for the first person there will be, or
-- 'link' for a person who is signed in by it.
CREATE TABLE entrance_tokens (
    sha256    TEXT PRIMARY KEY,
    kind      TEXT NOT NULL,
    person_id TEXT NOT NULL,
    ends_at   INTEGER NOT NULL
);

-- Who did what. actor_kind is 'person', 'key' or 'operator'.
CREATE TABLE audit_log (
    id           TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    at           INTEGER NOT NULL,
    actor_kind   TEXT NOT NULL,
    actor_id     TEXT NOT NULL,
    actor_name   TEXT NOT NULL,
    action       TEXT NOT NULL,
    thing_kind   TEXT NOT NULL,
    thing_id     TEXT NOT NULL,
    thing_name   TEXT NOT NULL,
    address      TEXT NOT NULL,
    request_id   TEXT NOT NULL
);
CREATE INDEX audit_log_workspace ON audit_log (workspace_id, id);

-- What was written stays as it is.
-- +goose StatementBegin
CREATE TRIGGER audit_log_changes BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_log_deletions BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
-- +goose StatementEnd
