package storetest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/store"
)

// prices: each workspace has its own, none at first.
func prices(t *testing.T, b *bench) {
	of := func(workspace string) price.Prices {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (price.Prices, error) { return tx.PricesOf(ctx, workspace) })
	}
	speech := 0.02
	mine := price.Prices{Currency: "EUR", Trunks: []price.Trunk{{Name: "main", PerMinute: 0.013, BilledSeconds: 60}}, Speech: &speech}
	other := price.Prices{Currency: "USD"}
	for _, p := range []price.Prices{other, mine} {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SavePrices(ctx, ours, p) })
	}
	if diff := cmp.Diff(mine, of(ours)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(price.Prices{}, of(theirs)); diff != "" {
		t.Error(diff)
	}
}
