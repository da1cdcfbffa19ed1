package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// datasets is how datasets are kept, see deletable.
func datasets() deletable[scenario.Dataset] {
	return deletable[scenario.Dataset]{
		thing: "dataset", table: "datasets",
		columns: "id, workspace_id, name, description, version, items, created_at, updated_at",
		fields: func(d *scenario.Dataset) []any {
			return []any{
				&d.ID, &d.WorkspaceID, &d.Name, &d.Description, &d.Version, &d.Items,
				micros{&d.CreatedAt}, micros{&d.UpdatedAt},
			}
		},
	}
}

// InsertDataset implements catalog.DatasetRows.
func (tx *Tx) InsertDataset(ctx context.Context, d scenario.Dataset) error {
	tx.made("dataset", d.ID, 0)
	return datasets().insert(ctx, tx, d)
}

// DatasetByID implements catalog.DatasetRows. A deleted dataset is missing.
func (tx *Tx) DatasetByID(ctx context.Context, workspaceID, id string) (scenario.Dataset, error) {
	return datasets().byID(ctx, tx, workspaceID, id)
}

// LockDataset implements catalog.DatasetRows.
func (tx *Tx) LockDataset(ctx context.Context, workspaceID, id string) (scenario.Dataset, error) {
	return datasets().lock(ctx, tx, workspaceID, id)
}

// Datasets implements catalog.DatasetRows.
func (tx *Tx) Datasets(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Dataset, error) {
	return datasets().newest(ctx, tx, workspaceID, limit, cursor)
}

// UpdateDataset implements catalog.DatasetRows.
func (tx *Tx) UpdateDataset(ctx context.Context, d scenario.Dataset) error {
	return tx.mustChange(ctx, "dataset", d.ID,
		`UPDATE datasets SET name = $3, description = $4, version = $5, items = $6, updated_at = $7
		WHERE workspace_id = $1 AND id = $2 AND deleted_at = 0`,
		d.WorkspaceID, d.ID, d.Name, d.Description, d.Version, d.Items, micros{&d.UpdatedAt})
}

// DeleteDataset implements catalog.DatasetRows. The row stays for the experiments that used it.
func (tx *Tx) DeleteDataset(ctx context.Context, workspaceID, id string, now time.Time) error {
	return datasets().remove(ctx, tx, workspaceID, id, now)
}

// InsertVersion implements catalog.ItemRows.
func (tx *Tx) InsertVersion(ctx context.Context, datasetID string, v catalog.Version) error {
	tx.made("dataset", datasetID, v.Version)
	return tx.insert(ctx, "dataset_versions", "dataset_id, version, items, created_at",
		[]any{datasetID, v.Version, v.Items, micros{&v.CreatedAt}})
}

// DatasetVersions implements catalog.DatasetRows.
func (tx *Tx) DatasetVersions(ctx context.Context, datasetID string) ([]catalog.Version, error) {
	return all(ctx, tx, func(v *catalog.Version) []any {
		return []any{&v.Version, &v.Items, micros{&v.CreatedAt}}
	}, `SELECT version, items, created_at FROM dataset_versions WHERE dataset_id = $1 ORDER BY version DESC`, datasetID)
}
