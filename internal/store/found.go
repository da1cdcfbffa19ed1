package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// saveFound stores what an experiment needs of a call's review beside the review, which holds every
// word and is many times as long: the results of ten thousand calls are read whenever somebody
// looks at them. A call without an experiment has none.
func (tx *Tx) saveFound(ctx context.Context, r call.Review) error {
	experimentID, _, err := one(ctx, tx, scalar[string], `SELECT experiment_id FROM calls WHERE id = $1`, r.CallID)
	if err != nil || experimentID == "" {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("found of a review: %w", err)
	}
	var f experiment.Found
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("found of a review: %w", err)
	}
	return tx.saveBody(ctx, r.CallID, payloadFound, packFound(&f))
}

// FoundOf implements experiment.ResultRows. Calls that were reviewed before that
// part was kept by itself are read from their whole reviews.
func (tx *Tx) FoundOf(ctx context.Context, experimentID string) (map[string]experiment.Found, error) {
	out, texts := map[string]experiment.Found{}, map[string]string{}
	calls, err := need(ctx, tx, "experiment", experimentID, scalar[int], `SELECT COUNT(*) FROM calls WHERE experiment_id = $1 AND experiment_id <> ''`, experimentID)
	if err != nil {
		return nil, err
	}
	const from = ` FROM calls c JOIN payloads p ON p.owner = c.id AND p.kind = `
	for _, text := range []string{
		from + `'` + payloadFound + `' WHERE c.experiment_id = $1 AND c.experiment_id <> ''`,
		from + `'` + payloadReview + `' WHERE c.experiment_id = $1 AND c.experiment_id <> ''
			AND NOT EXISTS (SELECT 1 FROM payloads f WHERE f.owner = c.id AND f.kind = '` + payloadFound + `')`,
	} {
		if len(out) == calls { // to look for older ones goes through all calls again
			break
		}
		found, err := all(ctx, tx, func(f *experiment.Found) []any { return []any{foundScan{tx.store.codec, f, texts}, &f.CallID} }, `SELECT p.body, c.id`+text, experimentID)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			out[f.CallID] = f
		}
	}
	return out, nil
}

// PlayedItems implements experiment.CatalogRows. Repetitions of an item share
// what they played, so that one of them is read for all.
func (tx *Tx) PlayedItems(ctx context.Context, experimentID string) (map[string]scenario.Item, error) {
	type played struct {
		id   string
		item scenario.Item
	}
	found, err := all(ctx, tx, func(p *played) []any { return []any{&p.id, tx.packed(&p.item)} },
		`SELECT c.item_id, p.body FROM calls c JOIN payloads p ON p.owner = c.id AND p.kind = '`+payloadItem+`'
		WHERE c.id IN (SELECT MIN(id) FROM calls WHERE experiment_id = $1 AND experiment_id <> '' GROUP BY item_id)`, experimentID)
	out := make(map[string]scenario.Item, len(found))
	for _, p := range found {
		out[p.id] = p.item
	}
	return out, err
}
