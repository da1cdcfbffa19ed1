package catalog

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// DatasetInput is a new dataset. Items may be empty; a run refuses a dataset without any.
type DatasetInput struct {
	Name        string
	Description string
	Items       []scenario.Item
}

// DatasetPatch changes a dataset's own fields; nil stays as it is. It makes no new version.
type DatasetPatch struct {
	Name        *string
	Description *string
}

// CreateDataset stores a new dataset with its items as version 1.
func (s *Service) CreateDataset(ctx context.Context, workspaceID string, in DatasetInput) (scenario.Dataset, error) {
	now := s.now()
	d := scenario.Dataset{
		ID: s.newID(datasetPrefix), WorkspaceID: workspaceID, Name: in.Name, Description: in.Description,
		CreatedAt: now, UpdatedAt: now,
	}
	fields := append(d.Validate(""), checkItems(in.Items)...)
	if len(fields) > 0 {
		return scenario.Dataset{}, problem.Invalid(fields...)
	}
	if err := checkCount(len(in.Items)); err != nil {
		return scenario.Dataset{}, err
	}
	items := s.identify(in.Items, nil)
	err := s.store.Write(ctx, func(tx Tx) error {
		d.Version, d.Items = 0, 0
		if err := tx.InsertDataset(ctx, d); err != nil {
			return err
		}
		return s.newVersion(ctx, tx, &d, len(items), func(version int) error {
			return insertItems(ctx, tx, d.ID, version, items)
		})
	})
	if err != nil {
		return scenario.Dataset{}, err
	}
	return d, nil
}

// Dataset returns the dataset with the id, without its items.
func (s *Service) Dataset(ctx context.Context, workspaceID, id string) (d scenario.Dataset, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		d, err = tx.DatasetByID(ctx, workspaceID, id)
		return err
	})
	return d, err
}

// Datasets lists datasets, newest first. next is the cursor of the next page, "" after the last.
func (s *Service) Datasets(ctx context.Context, workspaceID string, limit int, cursor string) (list []scenario.Dataset, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID(datasetPrefix))
	if err != nil {
		return nil, "", err
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		list, err = tx.Datasets(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(d *scenario.Dataset) string { return d.ID })
	return list, next, nil
}

// UpdateDataset changes what the patch names and returns the whole dataset.
func (s *Service) UpdateDataset(ctx context.Context, workspaceID, id string, p DatasetPatch) (d scenario.Dataset, err error) {
	err = s.store.Write(ctx, func(tx Tx) error {
		if d, err = tx.LockDataset(ctx, workspaceID, id); err != nil {
			return err
		}
		set(&d.Name, p.Name)
		set(&d.Description, p.Description)
		d.UpdatedAt = s.now()
		if fields := d.Validate(""); len(fields) > 0 {
			return problem.Invalid(fields...)
		}
		return tx.UpdateDataset(ctx, d)
	})
	if err != nil {
		return scenario.Dataset{}, err
	}
	return d, nil
}

// DeleteDataset removes the dataset from lists and lookups; experiments that
// ran it keep the items they were planned with.
func (s *Service) DeleteDataset(ctx context.Context, workspaceID, id string) error {
	return s.store.Write(ctx, func(tx Tx) error { return tx.DeleteDataset(ctx, workspaceID, id, s.now()) })
}

// Versions tells when each version of the dataset was made, newest first.
func (s *Service) Versions(ctx context.Context, workspaceID, datasetID string) (versions []Version, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		if _, err := tx.DatasetByID(ctx, workspaceID, datasetID); err != nil {
			return err
		}
		versions, err = tx.DatasetVersions(ctx, datasetID)
		return err
	})
	return versions, err
}

// newVersion makes the dataset's next version: change writes the rows, count
// is how many items there are afterwards.
func (s *Service) newVersion(ctx context.Context, tx Tx, d *scenario.Dataset, count int, change func(version int) error) error {
	now := s.now()
	d.Version++
	d.Items, d.UpdatedAt = count, now
	if err := change(d.Version); err != nil {
		return err
	}
	if err := tx.InsertVersion(ctx, d.ID, Version{Version: d.Version, Items: count, CreatedAt: now}); err != nil {
		return err
	}
	return tx.UpdateDataset(ctx, *d)
}
