package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Mode says what an import does with the items that are there.
type Mode string

// The modes of an import.
const (
	Append  Mode = "append"
	Replace Mode = "replace"
)

// Items lists the items of a version in order; version 0 is the current one.
// It returns the version that was read, so that further pages can name it.
func (s *Service) Items(ctx context.Context, workspaceID, datasetID string, version, limit int, cursor string) (list []scenario.Item, of int, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID(itemPrefix))
	if err != nil {
		return nil, 0, "", err
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		if of, err = versionOf(ctx, tx, workspaceID, datasetID, version); err != nil {
			return err
		}
		list, err = tx.ItemPage(ctx, datasetID, of, size+1, cursor)
		if cursor != "" && problem.Is(err, problem.NotFound) {
			return problem.Invalid(page.NoCursor())
		}
		return err
	})
	if err != nil {
		return nil, 0, "", err
	}
	list, next = page.Cut(list, size, func(i *scenario.Item) string { return i.ID })
	return list, of, next, nil
}

// Item returns an item as it is in the version; 0 is the current one.
func (s *Service) Item(ctx context.Context, workspaceID, datasetID, itemID string, version int) (item scenario.Item, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		of, err := versionOf(ctx, tx, workspaceID, datasetID, version)
		if err != nil {
			return err
		}
		item, err = tx.ItemByID(ctx, datasetID, itemID, of)
		return err
	})
	return item, err
}

// AddItems puts items behind those that are there, as a new version, and
// returns them with their ids. A key that the dataset has already is a field at fault.
func (s *Service) AddItems(ctx context.Context, workspaceID, datasetID string, items []scenario.Item) (d scenario.Dataset, added []scenario.Item, err error) {
	if len(items) == 0 {
		return d, nil, problem.Invalid(problem.Field{Path: "items", Message: "must hold at least one item"})
	}
	if fields := checkItems(items); len(fields) > 0 {
		return d, nil, problem.Invalid(fields...)
	}
	added = s.identify(items, nil)
	err = s.store.Write(ctx, func(tx Tx) error {
		if d, err = tx.LockDataset(ctx, workspaceID, datasetID); err != nil {
			return err
		}
		return s.append(ctx, tx, &d, added)
	})
	if err != nil {
		return scenario.Dataset{}, nil, err
	}
	return d, added, nil
}

// ReplaceItem gives the item a new content at its old place, as a new version. When it is so
// already, as after a request that is sent again, the dataset stays at the version it has.
func (s *Service) ReplaceItem(ctx context.Context, workspaceID, datasetID, itemID string, item scenario.Item) (scenario.Dataset, scenario.Item, error) {
	var d scenario.Dataset
	if item.ID != "" && item.ID != itemID {
		return d, item, problem.Invalid(problem.Field{Path: "id", Message: "is not the id in the path"})
	}
	if fields := item.Validate(""); len(fields) > 0 {
		return d, item, problem.Invalid(fields...)
	}
	item.ID = itemID
	err := s.store.Write(ctx, func(tx Tx) (err error) {
		if d, err = tx.LockDataset(ctx, workspaceID, datasetID); err != nil {
			return err
		}
		old, err := tx.ItemByID(ctx, datasetID, itemID, d.Version)
		if err != nil {
			return err
		}
		if same, err := alike([]scenario.Item{item}, []scenario.Item{old}); err != nil || same {
			return err
		}
		if err := checkKeys(ctx, tx, d, []scenario.Item{item}, "key"); err != nil {
			return err
		}
		return s.newVersion(ctx, tx, &d, d.Items, func(version int) error {
			return tx.ReplaceItem(ctx, datasetID, version, item)
		})
	})
	if err != nil {
		return scenario.Dataset{}, scenario.Item{}, err
	}
	return d, item, nil
}

// DeleteItem takes the item out of the dataset, as a new version.
func (s *Service) DeleteItem(ctx context.Context, workspaceID, datasetID, itemID string) (d scenario.Dataset, err error) {
	err = s.store.Write(ctx, func(tx Tx) error {
		if d, err = tx.LockDataset(ctx, workspaceID, datasetID); err != nil {
			return err
		}
		if _, err := tx.ItemByID(ctx, datasetID, itemID, d.Version); err != nil {
			return err
		}
		return s.newVersion(ctx, tx, &d, d.Items-1, func(version int) error {
			return tx.EndItems(ctx, datasetID, version, []string{itemID})
		})
	})
	if err != nil {
		return scenario.Dataset{}, err
	}
	return d, nil
}

// Import reads a file of items into the dataset, as a new version, and returns
// how many it held. Replace keeps the id of an item whose id or key is in the
// file, so that experiments before and after can be compared item by item. When
// nothing in the file is new, it leaves the dataset at the version it has.
func (s *Service) Import(ctx context.Context, workspaceID, datasetID string, format scenario.Format, data []byte, mode Mode) (d scenario.Dataset, count int, err error) {
	if mode != Append && mode != Replace {
		return d, 0, problem.Invalid(problem.Field{Path: "mode", Message: `must be "append" or "replace"`})
	}
	items, bad := ReadItems(format, data)
	if bad != nil {
		return d, 0, bad
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		if d, err = tx.LockDataset(ctx, workspaceID, datasetID); err != nil {
			return err
		}
		if mode == Append {
			return s.append(ctx, tx, &d, s.identify(items, nil))
		}
		return s.replace(ctx, tx, &d, items)
	})
	if err != nil {
		return scenario.Dataset{}, 0, err
	}
	return d, len(items), nil
}

// ReadItems reads a file of items as Import does, and stores nothing. It gives
// back either items or a problem that names every field at fault.
func ReadItems(format scenario.Format, data []byte) ([]scenario.Item, *problem.Error) {
	items, bad := scenario.ParseItems(data, format)
	if bad != nil {
		return nil, bad
	}
	if fields := duplicateKeys(items); len(fields) > 0 {
		return nil, problem.Invalid(fields...)
	}
	return items, nil
}

// append puts the items, which carry their ids, behind those of the locked dataset.
func (s *Service) append(ctx context.Context, tx Tx, d *scenario.Dataset, items []scenario.Item) error {
	if err := checkCount(d.Items + len(items)); err != nil {
		return err
	}
	if err := checkKeys(ctx, tx, *d, items, "items[%d].key"); err != nil {
		return err
	}
	return s.newVersion(ctx, tx, d, d.Items+len(items), func(version int) error {
		return insertItems(ctx, tx, d.ID, version, items)
	})
}

// replace puts the items in the place of all that the locked dataset holds.
func (s *Service) replace(ctx context.Context, tx Tx, d *scenario.Dataset, items []scenario.Item) error {
	if err := checkCount(len(items)); err != nil {
		return err
	}
	old, err := tx.ItemsOf(ctx, d.ID, d.Version, scenario.MaxItems)
	if err != nil {
		return err
	}
	if same, err := alike(items, old); err != nil || same {
		return err
	}
	items = s.identify(items, old)
	return s.newVersion(ctx, tx, d, len(items), func(version int) error {
		if err := tx.EndItems(ctx, d.ID, version, nil); err != nil {
			return err
		}
		return insertItems(ctx, tx, d.ID, version, items)
	})
}

func insertItems(ctx context.Context, tx Tx, datasetID string, version int, items []scenario.Item) error {
	if len(items) == 0 {
		return nil
	}
	return tx.InsertItems(ctx, datasetID, version, items)
}

// identify returns copies of the items with ids: that of the old item with the
// same id or key, or a new one; an old item that is named by its id is not found by its
// key, which a new one may have now. An id of the client's own making becomes the
// item's key when it has none, so that nothing the client named is lost.
func (s *Service) identify(items, old []scenario.Item) []scenario.Item {
	ids := make(map[string]bool, len(old))
	byKey := make(map[string]string, len(old))
	for _, o := range old {
		ids[o.ID] = true
		if o.Key != "" {
			byKey[o.Key] = o.ID
		}
	}
	named := make(map[string]bool, len(items))
	for _, item := range items {
		named[item.ID] = true
	}
	out := make([]scenario.Item, len(items))
	for i, item := range items {
		item.Key = keyOf(item)
		id := item.ID
		if !ids[id] {
			if id = byKey[item.Key]; named[id] {
				id = ""
			}
		}
		if id == "" || !ids[id] {
			id = s.newID(itemPrefix)
		}
		delete(ids, id) // two items must not share an id
		item.ID = id
		out[i] = item
	}
	return out
}

// keyOf is the client's own name for the item: its key, or an id that is not ours.
func keyOf(item scenario.Item) string {
	if item.Key == "" && !strings.HasPrefix(item.ID, itemPrefix+"_") {
		return item.ID
	}
	return item.Key
}

// versionOf finds the dataset and returns the version asked for, 0 meaning the current one.
func versionOf(ctx context.Context, tx Tx, workspaceID, datasetID string, version int) (int, error) {
	d, err := tx.DatasetByID(ctx, workspaceID, datasetID)
	if err != nil {
		return 0, err
	}
	if version < 0 || version > d.Version {
		return 0, problem.New(problem.NotFound, "dataset %q has no version %d; the newest is %d", datasetID, version, d.Version)
	}
	if version == 0 {
		return d.Version, nil
	}
	return version, nil
}

func checkCount(count int) error {
	if count > scenario.MaxItems {
		return problem.Invalid(problem.Field{
			Path: "items", Message: fmt.Sprintf("would make %d items; a dataset holds at most %d", count, scenario.MaxItems),
		}).WithHint("split the scenarios over several datasets")
	}
	return nil
}

// checkItems names everything wrong with the items and with keys given twice.
func checkItems(items []scenario.Item) []problem.Field {
	var fields []problem.Field
	for i, item := range items {
		fields = append(fields, item.Validate(fmt.Sprintf("items[%d]", i))...)
	}
	return append(fields, duplicateKeys(items)...)
}

// maxKeysTold is how many keys at fault are named: whoever sends a whole file twice has thousands.
const maxKeysTold = 100

func duplicateKeys(items []scenario.Item) []problem.Field {
	var fields []problem.Field
	first := make(map[string]int, len(items))
	for i, item := range items {
		key := keyOf(item)
		if key == "" || len(fields) == maxKeysTold {
			continue
		}
		if j, twice := first[key]; twice {
			fields = append(fields, problem.Field{
				Path: fmt.Sprintf("items[%d].key", i), Message: fmt.Sprintf("is %q, the same as that of items[%d]; keys must be unique in a dataset", key, j),
			})
			continue
		}
		first[key] = i
	}
	return fields
}

// checkKeys refuses keys that other items of the dataset have. path is where a
// key stands, with the item's index put in for %d.
func checkKeys(ctx context.Context, tx Tx, d scenario.Dataset, items []scenario.Item, path string) error {
	if !slices.ContainsFunc(items, func(i scenario.Item) bool { return i.Key != "" }) {
		return nil
	}
	there, err := tx.ItemsOf(ctx, d.ID, d.Version, scenario.MaxItems)
	if err != nil {
		return err
	}
	taken := make(map[string]string, len(there))
	for _, item := range there {
		taken[item.Key] = item.ID
	}
	var fields []problem.Field
	for i, item := range items {
		if id, is := taken[item.Key]; is && item.Key != "" && id != item.ID && len(fields) < maxKeysTold {
			fields = append(fields, problem.Field{
				Path: strings.ReplaceAll(path, "%d", fmt.Sprint(i)), Message: fmt.Sprintf("is %q, which item %s of the dataset has already", item.Key, id),
			})
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...).WithHint("change the keys, or import the whole file with mode=replace")
	}
	return nil
}
