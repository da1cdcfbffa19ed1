package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// forgottenValues: a value of a dimension goes with the last row that counts its calls.
func forgottenValues(t *testing.T, b *bench) {
	dim := monitor.DimKey + "customer"
	series := bucket.Series{Dim: dim, Value: "Ada"}
	row := bucket.Roll{WorkspaceID: ours, Origin: "simulated", Series: series, Day: 20000, Light: []byte{1}, Hours: []byte{1}, Failed: []byte{}}
	report := monitor.StoredReport{WorkspaceID: ours, Origin: "production", Series: series}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.TakeReport(ctx, report, start, start)
		return errors.Join(err, tx.PutRoll(ctx, row),
			tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindDim + dim, ID: 1, Text: "Ada"}, {Kind: monitor.KindDim + dim, ID: 2, Text: "Grace"}}))
	})
	forget := func() (texts []string, reports int) {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.ForgetValue(ctx, ours, dim, "Ada") })
		for _, v := range get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Value, error) {
			return tx.Texts(ctx, ours, monitor.KindDim+dim)
		}) {
			texts = append(texts, v.Text)
		}
		slices.Sort(texts)
		return texts, len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.StoredReport, error) {
			return tx.Reports(ctx, ours, "production")
		}))
	}
	texts, reports := forget()
	same(t, "a value that a row holds", texts, []string{"Ada", "Grace"})
	same(t, "its reports", reports, 1)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteRoll(ctx, row) })
	texts, reports = forget()
	same(t, "a value that no row holds", texts, []string{monitor.Erased + "1", "Grace"})
	same(t, "its reports", reports, 0)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutReport(ctx, report, start) })
	_, reports = forget()
	same(t, "reports of it by one who looked meanwhile", reports, 0)
}
