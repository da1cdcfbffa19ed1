package store

import (
	"context"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const itemColumns = "dataset_id, item_id, from_version, until_version, position, payload"

// itemOwner names the payload of one state of an item.
func itemOwner(id string, version int) string { return fmt.Sprintf("%s@%d", id, version) }

// InsertItems implements catalog.ItemRows.
func (tx *Tx) InsertItems(ctx context.Context, datasetID string, version int, items []scenario.Item) error {
	last, _, err := one(ctx, tx, scalar[int],
		`SELECT COALESCE(MAX(position), 0) FROM dataset_items WHERE dataset_id = $1`, datasetID)
	if err != nil {
		return err
	}
	return tx.insertStates(ctx, datasetID, version, last+1, items)
}

// insertStates adds states of items from a position on.
func (tx *Tx) insertStates(ctx context.Context, datasetID string, version, position int, items []scenario.Item) error {
	rows, bodies := make([][]any, len(items)), make([][]any, len(items))
	for i, item := range items {
		owner := itemOwner(item.ID, version)
		body, err := tx.payloadRow(owner, payloadItem, item)
		if err != nil {
			return err
		}
		rows[i], bodies[i] = []any{datasetID, item.ID, version, 0, position + i, owner}, body
	}
	if err := tx.insert(ctx, "dataset_items", itemColumns, rows...); err != nil {
		return err
	}
	return tx.insert(ctx, "payloads", payloadColumns, bodies...)
}

// ReplaceItem implements catalog.ItemRows.
func (tx *Tx) ReplaceItem(ctx context.Context, datasetID string, version int, item scenario.Item) error {
	position, err := need(ctx, tx, "item", item.ID, scalar[int],
		`SELECT position FROM dataset_items WHERE dataset_id = $1 AND item_id = $2 AND until_version = 0`, datasetID, item.ID)
	if err != nil {
		return err
	}
	if err := tx.EndItems(ctx, datasetID, version, []string{item.ID}); err != nil {
		return err
	}
	return tx.insertStates(ctx, datasetID, version, position, []scenario.Item{item})
}

// EndItems implements catalog.ItemRows. Ids that are not there are a problem.Missing.
func (tx *Tx) EndItems(ctx context.Context, datasetID string, version int, ids []string) error {
	if len(ids) == 0 {
		_, err := tx.endStates(ctx, "", datasetID, version)
		return err
	}
	for _, id := range ids {
		n, err := tx.endStates(ctx, " AND item_id = $3", datasetID, version, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return problem.Missing("item", id)
		}
	}
	return nil
}

// endStates ends the states that are open. One that began with this very
// version never was part of any, and goes without a trace.
func (tx *Tx) endStates(ctx context.Context, narrow string, args ...any) (int64, error) {
	fresh := `dataset_id = $1 AND from_version = $2 AND until_version = 0` + narrow
	if _, err := tx.exec(ctx, `DELETE FROM payloads WHERE kind = '`+payloadItem+`'
		AND owner IN (SELECT payload FROM dataset_items WHERE `+fresh+`)`, args...); err != nil {
		return 0, err
	}
	gone, err := tx.exec(ctx, `DELETE FROM dataset_items WHERE `+fresh, args...)
	if err != nil {
		return 0, err
	}
	ended, err := tx.exec(ctx, `UPDATE dataset_items SET until_version = $2
		WHERE dataset_id = $1 AND until_version = 0`+narrow, args...)
	return gone + ended, err
}

const itemsAt = `SELECT p.body FROM dataset_items i JOIN payloads p ON p.owner = i.payload AND p.kind = '` + payloadItem + `'
	WHERE i.dataset_id = $1 AND i.from_version <= $2 AND (i.until_version = 0 OR i.until_version > $2)`

func (tx *Tx) itemFields(i *scenario.Item) []any { return []any{tx.packed(i)} }

// ItemByID implements catalog.ItemRows.
func (tx *Tx) ItemByID(ctx context.Context, datasetID, id string, version int) (scenario.Item, error) {
	return need(ctx, tx, "item", id, tx.itemFields, itemsAt+` AND i.item_id = $3`, datasetID, version, id)
}

// ItemPage implements catalog.ItemRows. The cursor's item stands where it stood in that
// version, or when it was last there: replaced by an import, it had other places before.
func (tx *Tx) ItemPage(ctx context.Context, datasetID string, version, limit int, cursor string) ([]scenario.Item, error) {
	if cursor == "" {
		return tx.ItemsOf(ctx, datasetID, version, limit)
	}
	after, err := need(ctx, tx, "item", cursor, scalar[int],
		`SELECT position FROM dataset_items WHERE dataset_id = $1 AND item_id = $2
		ORDER BY from_version <= $3 DESC, from_version DESC LIMIT 1`, datasetID, cursor, version)
	if err != nil {
		return nil, err
	}
	return all(ctx, tx, tx.itemFields, itemsAt+` AND i.position > $3 ORDER BY i.position LIMIT $4`, datasetID, version, after, limit)
}

// ItemsOf implements catalog.ItemRows.
func (tx *Tx) ItemsOf(ctx context.Context, datasetID string, version, limit int) ([]scenario.Item, error) {
	return all(ctx, tx, tx.itemFields, itemsAt+` ORDER BY i.position LIMIT $3`, datasetID, version, limit)
}
