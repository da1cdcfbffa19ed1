package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

const (
	personColumns = "id, email, name, password, subject, created_at, updated_at"
	memberColumns = "workspace_id, person_id, role, created_at"
)

func personFields(p *people.Person) []any {
	return []any{&p.ID, &p.Email, &p.Name, &p.Password, &p.Subject, micros{&p.CreatedAt}, micros{&p.UpdatedAt}}
}

// InsertPerson implements people.PersonRows.
func (tx *Tx) InsertPerson(ctx context.Context, p people.Person) error {
	return tx.insert(ctx, "persons", personColumns, personFields(&p))
}

// UpdatePerson implements people.PersonRows.
func (tx *Tx) UpdatePerson(ctx context.Context, p people.Person) error {
	return tx.mustChange(ctx, "person", p.ID, `UPDATE persons SET `+update(personColumns, 1)+` WHERE id = $1`, personFields(&p)...)
}

// DeletePerson implements people.PersonRows. Views that others see stay, as those that were made with a key.
func (tx *Tx) DeletePerson(ctx context.Context, id string) error {
	if _, err := tx.exec(ctx, `DELETE FROM saved_views WHERE person_id = $1 AND shared = 0`, id); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `UPDATE saved_views SET person_id = NULL WHERE person_id = $1`, id); err != nil {
		return err
	}
	return tx.mustChange(ctx, "person", id, `DELETE FROM persons WHERE id = $1`, id)
}

// Person implements people.PersonRows.
func (tx *Tx) Person(ctx context.Context, id string) (people.Person, error) {
	return need(ctx, tx, "person", id, personFields, `SELECT `+personColumns+` FROM persons WHERE id = $1`+tx.held(), id)
}

// PersonByEmail implements people.PersonRows.
func (tx *Tx) PersonByEmail(ctx context.Context, email string) (people.Person, bool, error) {
	return one(ctx, tx, personFields, `SELECT `+personColumns+` FROM persons WHERE email = $1`+tx.held(), email)
}

// PersonBySubject implements people.PersonRows.
func (tx *Tx) PersonBySubject(ctx context.Context, subject string) (people.Person, bool, error) {
	return one(ctx, tx, personFields, `SELECT `+personColumns+` FROM persons WHERE subject = $1 AND subject <> ''`+tx.held(), subject)
}

// AnyPerson implements people.TokenRows.
func (tx *Tx) AnyPerson(ctx context.Context) (bool, error) {
	_, ok, err := one(ctx, tx, scalar[string], `SELECT id FROM persons LIMIT 1`)
	return ok, err
}

// Persons implements people.PersonRows.
func (tx *Tx) Persons(ctx context.Context) ([]people.Person, error) {
	return all(ctx, tx, personFields, `SELECT `+personColumns+` FROM persons ORDER BY email`)
}

// InsertMember implements people.MemberRows.
func (tx *Tx) InsertMember(ctx context.Context, m people.Member) error {
	return tx.insert(ctx, "members", memberColumns, []any{m.WorkspaceID, m.PersonID, string(m.Role), micros{&m.CreatedAt}})
}

// SetMemberRole implements people.MemberRows.
func (tx *Tx) SetMemberRole(ctx context.Context, workspaceID, personID string, role workspace.Role) error {
	return tx.mustChange(ctx, "member", personID,
		`UPDATE members SET role = $3 WHERE workspace_id = $1 AND person_id = $2`, workspaceID, personID, string(role))
}

// DeleteMember implements people.MemberRows.
func (tx *Tx) DeleteMember(ctx context.Context, workspaceID, personID string) error {
	return tx.mustChange(ctx, "member", personID, `DELETE FROM members WHERE workspace_id = $1 AND person_id = $2`, workspaceID, personID)
}

// Members implements people.MemberRows.
func (tx *Tx) Members(ctx context.Context, workspaceID string) ([]people.Member, error) {
	if tx.writes {
		held := `SELECT person_id FROM members WHERE workspace_id = $1 ORDER BY person_id` + tx.store.engine.LockClause()
		if _, err := all(ctx, tx, scalar[string], held, workspaceID); err != nil {
			return nil, err
		}
	}
	list, err := all(ctx, tx, func(m *people.Member) []any {
		return []any{&m.WorkspaceID, &m.PersonID, &m.Role, micros{&m.CreatedAt}, &m.Name, &m.Email, micros{&m.SeenAt}}
	}, `SELECT `+columnsOf("m", memberColumns)+`, p.name, p.email,
		COALESCE((SELECT MAX(s.seen_at) FROM sessions s WHERE s.person_id = m.person_id), 0)
		FROM members m JOIN persons p ON p.id = m.person_id WHERE m.workspace_id = $1`, workspaceID)
	slices.SortFunc(list, byName)
	return list, err
}

// byName is the order of a list of members. Each database would have one of its own: PostgreSQL's
// depends on the language it was set up with, and to SQLite a capital comes before all small letters.
func byName(a, b people.Member) int {
	return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.PersonID, b.PersonID))
}

// Memberships implements people.MemberRows.
func (tx *Tx) Memberships(ctx context.Context, personID string) ([]people.Membership, error) {
	return all(ctx, tx, func(m *people.Membership) []any { return []any{&m.WorkspaceID, &m.Name, &m.Role} },
		`SELECT w.id, w.name, m.role FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.person_id = $1 ORDER BY w.id`, personID)
}

const sessionColumns = "sha256, person_id, workspace_id, way, created_at, seen_at, ends_at"

func sessionFields(s *people.Session) []any {
	return []any{&s.SHA256, &s.PersonID, &s.WorkspaceID, &s.Way, micros{&s.CreatedAt}, micros{&s.SeenAt}, micros{&s.EndsAt}}
}

// InsertSession implements people.SessionRows.
func (tx *Tx) InsertSession(ctx context.Context, s people.Session) error {
	return tx.insert(ctx, "sessions", sessionColumns, sessionFields(&s))
}

// SessionByDigest implements people.SessionRows.
func (tx *Tx) SessionByDigest(ctx context.Context, digest string) (people.Found, bool, error) {
	return one(ctx, tx, func(f *people.Found) []any { return append(sessionFields(&f.Session), &f.PersonName, &f.Role) },
		`SELECT `+columnsOf("s", sessionColumns)+`, p.name, COALESCE(m.role, '') FROM sessions s JOIN persons p ON p.id = s.person_id
		LEFT JOIN members m ON m.workspace_id = s.workspace_id AND m.person_id = s.person_id WHERE s.sha256 = $1`, digest)
}

// TouchSession implements people.SessionRows.
func (tx *Tx) TouchSession(ctx context.Context, digest string, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE sessions SET seen_at = $2 WHERE sha256 = $1 AND seen_at < $2`, digest, toMicros(now))
	return err
}

// MoveSession implements people.SessionRows.
func (tx *Tx) MoveSession(ctx context.Context, digest, workspaceID string) error {
	_, err := tx.exec(ctx, `UPDATE sessions SET workspace_id = $2 WHERE sha256 = $1`, digest, workspaceID)
	return err
}

// DeleteSession implements people.SessionRows.
func (tx *Tx) DeleteSession(ctx context.Context, digest string) error {
	_, err := tx.exec(ctx, `DELETE FROM sessions WHERE sha256 = $1`, digest)
	return err
}

// DeleteSessionsOf implements people.SessionRows.
func (tx *Tx) DeleteSessionsOf(ctx context.Context, personID string) error {
	_, err := tx.exec(ctx, `DELETE FROM sessions WHERE person_id = $1`, personID)
	return err
}
