package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

const (
	invitationColumns = "id, workspace_id, email, role, sha256, made_by, made_by_name, created_at, ends_at"
	tokenColumns      = "sha256, kind, person_id, ends_at"
)

func invitationFields(i *people.Invitation) []any {
	return []any{
		&i.ID, &i.WorkspaceID, &i.Email, &i.Role, &i.SHA256, &i.MadeBy, &i.MadeByName, micros{&i.CreatedAt}, micros{&i.EndsAt},
	}
}

// SaveInvitation implements people.InvitationRows.
func (tx *Tx) SaveInvitation(ctx context.Context, i people.Invitation) error {
	if _, err := tx.exec(ctx, `DELETE FROM invitations WHERE workspace_id = $1 AND email = $2`, i.WorkspaceID, i.Email); err != nil {
		return err
	}
	fields := invitationFields(&i)
	fields[3] = string(i.Role)
	return tx.insert(ctx, "invitations", invitationColumns, fields)
}

// InvitationByDigest implements people.InvitationRows.
func (tx *Tx) InvitationByDigest(ctx context.Context, digest string) (people.Invitation, bool, error) {
	return one(ctx, tx, invitationFields, `SELECT `+invitationColumns+` FROM invitations WHERE sha256 = $1`, digest)
}

// Invitations implements people.InvitationRows.
func (tx *Tx) Invitations(ctx context.Context, workspaceID string, limit int, cursor string) ([]people.Invitation, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	tail := where.page(limit, cursor)
	return all(ctx, tx, invitationFields, `SELECT `+invitationColumns+` FROM invitations`+tail, where.args...)
}

// InvitationsFor implements people.InvitationRows.
func (tx *Tx) InvitationsFor(ctx context.Context, email string) ([]people.Invitation, error) {
	return all(ctx, tx, invitationFields, `SELECT `+invitationColumns+` FROM invitations WHERE email = $1 ORDER BY id`, email)
}

// DeleteInvitation implements people.InvitationRows.
func (tx *Tx) DeleteInvitation(ctx context.Context, workspaceID, id string) error {
	return tx.mustChange(ctx, "invitation", id, `DELETE FROM invitations WHERE workspace_id = $1 AND id = $2`, workspaceID, id)
}

func tokenFields(t *people.Token) []any {
	return []any{&t.SHA256, &t.Kind, &t.PersonID, micros{&t.EndsAt}}
}

// InsertToken implements people.TokenRows.
func (tx *Tx) InsertToken(ctx context.Context, t people.Token) error {
	return tx.insert(ctx, "entrance_tokens", tokenColumns, tokenFields(&t))
}

// TakeToken implements people.TokenRows: of two that take it at a time one gets it.
func (tx *Tx) TakeToken(ctx context.Context, kind, digest string) (people.Token, bool, error) {
	return one(ctx, tx, tokenFields, `DELETE FROM entrance_tokens WHERE kind = $1 AND sha256 = $2 RETURNING `+tokenColumns, kind, digest)
}

// DeleteTokens implements people.TokenRows.
func (tx *Tx) DeleteTokens(ctx context.Context, kind string) error {
	_, err := tx.exec(ctx, `DELETE FROM entrance_tokens WHERE kind = $1`, kind)
	return err
}

// DeleteTokensOf implements people.TokenRows.
func (tx *Tx) DeleteTokensOf(ctx context.Context, personID string) error {
	_, err := tx.exec(ctx, `DELETE FROM entrance_tokens WHERE person_id = $1`, personID)
	return err
}

// trimPeople removes what nobody can come in by any more.
func (tx *Tx) trimPeople(ctx context.Context, now time.Time) error {
	for _, table := range []string{"sessions", "invitations", "entrance_tokens"} {
		if _, err := tx.exec(ctx, `DELETE FROM `+table+` WHERE ends_at < $1`, toMicros(now)); err != nil {
			return err
		}
	}
	return nil
}
