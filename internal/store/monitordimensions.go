package store

import (
	"context"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

const dimensionColumns = "workspace_id, names, changed_at, origin, since, time_zone"

func dimensionFields(d *monitor.Dimensions) []any {
	return []any{&d.WorkspaceID, doc{&d.Keys}, micros{&d.ChangedAt}, &d.Origin, micros{&d.From}, &d.Zone}
}

// Dimensions implements monitor.DimensionRows.
func (tx *Tx) Dimensions(ctx context.Context, workspaceID string) (monitor.Dimensions, error) {
	d, _, err := one(ctx, tx, dimensionFields, `SELECT `+dimensionColumns+` FROM monitor_dimensions WHERE workspace_id = $1`, workspaceID)
	d.WorkspaceID = workspaceID
	return d, err
}

// PutDimensions implements monitor.DimensionRows.
func (tx *Tx) PutDimensions(ctx context.Context, d monitor.Dimensions) error {
	_, err := tx.exec(ctx, `INSERT INTO monitor_dimensions (`+dimensionColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id) DO UPDATE SET names = excluded.names, changed_at = excluded.changed_at,
		origin = excluded.origin, since = excluded.since, time_zone = excluded.time_zone`, dimensionFields(&d)...)
	return err
}

// OldDimensions implements monitor.DimensionRows.
func (tx *Tx) OldDimensions(ctx context.Context, limit int) ([]monitor.Dimensions, error) {
	return all(ctx, tx, dimensionFields, `SELECT `+dimensionColumns+` FROM monitor_dimensions WHERE origin <> '' ORDER BY changed_at LIMIT $1`+tx.held(), limit)
}

// MetadataOf implements monitor.DimensionRows.
func (tx *Tx) MetadataOf(ctx context.Context, callIDs, keys []string) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	if len(keys) == 0 {
		return out, nil
	}
	for chunk := range slices.Chunk(callIDs, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		found, err := all(ctx, tx, func(c *call.Call) []any { return []any{&c.ID, exactDoc{&c.Metadata}} },
			`SELECT id, metadata FROM calls WHERE id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if values := valuesOf(&found[i], keys); len(values) > 0 {
				out[found[i].ID] = values
			}
		}
	}
	return out, nil
}

// valuesOf are those of the call's metadata under the keys, as filters compare them.
func valuesOf(c *call.Call, keys []string) map[string]string {
	out := map[string]string{}
	for _, key := range keys {
		if value, ok := c.Metadata[key]; ok {
			out[key] = metadataText(value)
		}
	}
	return out
}
