package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	recordingCredentialColumns = "id, workspace_id, host, header, query, sealed, key_id, created_at, updated_at"
	platformKeyColumns         = "workspace_id, provider, sealed, key_id, created_at, updated_at"
)

func recordingCredentialFields(r *credential.Recording) []any {
	return []any{
		&r.ID, &r.WorkspaceID, &r.Host, &r.Header, &r.Query, &r.Sealed, &r.KeyID, micros{&r.CreatedAt}, micros{&r.UpdatedAt},
	}
}

func platformKeyFields(k *credential.PlatformKey) []any {
	return []any{&k.WorkspaceID, &k.Provider, &k.Sealed, &k.KeyID, micros{&k.CreatedAt}, micros{&k.UpdatedAt}}
}

// SaveRecordingCredential implements credential.Tx.
func (tx *Tx) SaveRecordingCredential(ctx context.Context, r credential.Recording) (credential.Recording, error) {
	_, err := tx.exec(ctx, `INSERT INTO recording_credentials (`+recordingCredentialColumns+`) VALUES `+marks(1, 9)+`
		ON CONFLICT (workspace_id, host) DO UPDATE SET header = excluded.header, query = excluded.query,
		sealed = excluded.sealed, key_id = excluded.key_id, updated_at = excluded.updated_at`, recordingCredentialFields(&r)...)
	if err != nil {
		return credential.Recording{}, err
	}
	return need(ctx, tx, "recording credential", r.ID, recordingCredentialFields,
		`SELECT `+recordingCredentialColumns+` FROM recording_credentials WHERE workspace_id = $1 AND host = $2`, r.WorkspaceID, r.Host)
}

// RecordingCredentials implements credential.Tx.
func (tx *Tx) RecordingCredentials(ctx context.Context, workspaceID string, limit int, cursor string) ([]credential.Recording, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	tail := where.page(limit, cursor)
	return all(ctx, tx, recordingCredentialFields, `SELECT `+recordingCredentialColumns+` FROM recording_credentials`+tail, where.args...)
}

// RecordingCredentialsFor implements credential.Tx.
func (tx *Tx) RecordingCredentialsFor(ctx context.Context, workspaceID string, hosts []string) ([]credential.Recording, error) {
	if len(hosts) == 0 {
		return nil, nil
	}
	args := []any{workspaceID}
	for _, h := range hosts {
		args = append(args, h)
	}
	return all(ctx, tx, recordingCredentialFields,
		`SELECT `+recordingCredentialColumns+` FROM recording_credentials WHERE workspace_id = $1 AND host IN `+marks(2, len(hosts)), args...)
}

// DeleteRecordingCredential implements credential.Tx.
func (tx *Tx) DeleteRecordingCredential(ctx context.Context, workspaceID, id string) error {
	return tx.mustChange(ctx, "recording credential", id,
		`DELETE FROM recording_credentials WHERE workspace_id = $1 AND id = $2`, workspaceID, id)
}

// SavePlatformKey implements credential.PlatformKeyRows.
func (tx *Tx) SavePlatformKey(ctx context.Context, k credential.PlatformKey) error {
	_, err := tx.exec(ctx, `INSERT INTO platform_keys (`+platformKeyColumns+`) VALUES `+marks(1, 6)+`
		ON CONFLICT (workspace_id, provider) DO UPDATE SET sealed = excluded.sealed, key_id = excluded.key_id, updated_at = excluded.updated_at`,
		platformKeyFields(&k)...)
	return err
}

// PlatformKeys implements credential.PlatformKeyRows.
func (tx *Tx) PlatformKeys(ctx context.Context, workspaceID string) ([]credential.PlatformKey, error) {
	return all(ctx, tx, platformKeyFields,
		`SELECT `+platformKeyColumns+` FROM platform_keys WHERE workspace_id = $1 ORDER BY provider`, workspaceID)
}

// DeletePlatformKey implements credential.PlatformKeyRows.
func (tx *Tx) DeletePlatformKey(ctx context.Context, workspaceID, provider string) error {
	n, err := tx.exec(ctx, `DELETE FROM platform_keys WHERE workspace_id = $1 AND provider = $2`, workspaceID, provider)
	if err == nil && n == 0 {
		return problem.Missing("platform key", provider)
	}
	return err
}

// SealedWith implements credential.Tx.
func (tx *Tx) SealedWith(ctx context.Context) ([]string, error) {
	return all(ctx, tx, scalar[string], `SELECT key_id FROM recording_credentials UNION SELECT key_id FROM platform_keys`)
}
