package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// callsOfCountedTimes: for the calls of a value no times are looked at but those in which monitoring
// counts one, and the hours that it is yet to count.
func callsOfCountedTimes(t *testing.T, b *bench) {
	var c counted
	at := func(value string, origin call.Origin, ago time.Duration) string {
		return c.add(func(one *call.Call, f *monitor.Fact) {
			one.CreatedAt, one.Origin = start.Truncate(time.Hour).Add(-ago), origin
			f.At, f.Origin, f.Dims = one.CreatedAt, origin, map[string]string{"model": value}
		})
	}
	const day = 24 * time.Hour
	marked, latest := at("m-2", call.Production, 0), at("m-2", call.Production, time.Hour)
	next, simulated := at("m-2", call.Production, 2*time.Hour), at("m-2", call.Simulated, 3*time.Hour)
	at("m-2", call.Production, 4*time.Hour)                // in an hour without a count: nobody comes by
	at("m-2", call.Production, 2*time.Hour-10*time.Minute) // nor here, in the next ten minutes of a counted hour
	old := at("m-2", call.Production, 40*day)
	rare := at("m-101", call.Production, 41*day-25*time.Minute) // in an hour of whose parts nothing is known
	c.marks = []monitor.Mark{{WorkspaceID: ours, Origin: "production", Hour: start.Truncate(time.Hour)}}
	c.keep(t, b)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, r := range []struct {
			value    string
			origin   call.Origin
			ago      time.Duration
			firstTen int64
		}{
			{"m-2", call.Production, time.Hour, 1}, {"m-2", call.Production, 2 * time.Hour, 1}, {"m-2", call.Simulated, 3 * time.Hour, 1},
			{"m-2", call.Production, 40 * day, 1}, {monitor.Other, call.Production, 41 * day, 0}, {"m-1", call.Production, 4 * time.Hour, 1},
		} {
			if err := countHour(ctx, tx, r.origin, r.value, start.Truncate(time.Hour).Add(-r.ago), r.firstTen); err != nil {
				return err
			}
		}
		return tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindDim + "model", ID: 1, Text: "m-2"}})
	})
	now := start.Truncate(time.Hour)
	for name, list := range map[string]struct {
		filter archive.Filter
		want   []string
	}{
		"a value":               {archive.Filter{Value: "m-2"}, []string{marked, latest, next, simulated, old}},
		"of production":         {archive.Filter{Value: "m-2", Origin: call.Production}, []string{marked, latest, next, old}},
		"since the second":      {archive.Filter{Value: "m-2", From: now.Add(-time.Hour)}, []string{marked, latest}},
		"until the second":      {archive.Filter{Value: "m-2", Until: now.Add(-time.Hour), Origin: call.Production}, []string{next, old}},
		"within an hour":        {archive.Filter{Value: "m-2", From: now.Add(-61 * time.Minute), Until: now.Add(-59 * time.Minute)}, []string{latest}},
		"between two":           {archive.Filter{Value: "m-2", From: now.Add(-39 * day), Until: now.Add(-5 * time.Hour)}, nil},
		"without its own name":  {archive.Filter{Value: "m-101"}, []string{rare}},
		"all without":           {archive.Filter{Value: monitor.Other}, []string{rare}},
		"a value nobody has":    {archive.Filter{Value: "m-3"}, nil},
		"of an agent":           {archive.Filter{Value: "m-2", AgentID: "agt_9"}, nil},
		"who left, of the same": {archive.Filter{Value: "m-2", Left: &archive.Left{}}, nil},
	} {
		list.filter.Dimension = "model"
		for _, size := range []int{1, 3, 10} {
			got, _ := b.paged(t, list.filter, size, nil)
			same(t, fmt.Sprintf("%s, pages of %d", name, size), got, list.want)
		}
	}
}

// countHour says of an hour that monitoring counted a call of the value in it.
func countHour(ctx context.Context, tx *store.Tx, origin call.Origin, value string, hour time.Time, firstTen int64) error {
	series, day := bucket.Series{Dim: "model", Value: value}, bucket.DayOf(hour)
	roll, found, err := tx.RollOf(ctx, ours, string(origin), series, day)
	if err != nil {
		return err
	}
	if !found {
		roll = bucket.Roll{WorkspaceID: ours, Origin: string(origin), Series: series, Day: day}
	}
	counted := &bucket.Bucket{}
	counted.Counts[bucket.Calls], counted.Tens[0] = 1, firstTen
	if _, err := roll.Replace(map[int]*bucket.Bucket{bucket.HourOf(hour): counted}); err != nil {
		return err
	}
	return tx.PutRoll(ctx, roll)
}
