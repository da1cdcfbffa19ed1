package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/price"
)

// PricesOf implements price.Tx and experiment.ResultRows.
func (tx *Tx) PricesOf(ctx context.Context, workspaceID string) (price.Prices, error) {
	fields := func(p *price.Prices) []any { return []any{doc{p}} }
	p, _, err := one(ctx, tx, fields, `SELECT prices FROM prices WHERE workspace_id = $1`, workspaceID)
	return p, err
}

// SavePrices implements price.Tx.
func (tx *Tx) SavePrices(ctx context.Context, workspaceID string, p price.Prices) error {
	_, err := tx.exec(ctx, `INSERT INTO prices (workspace_id, prices) VALUES ($1, $2)
		ON CONFLICT (workspace_id) DO UPDATE SET prices = excluded.prices`, workspaceID, doc{p})
	return err
}
