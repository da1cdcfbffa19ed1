package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/store"
)

func (b *bench) known(t *testing.T, arrivals ...calllog.Arriving) calllog.Known {
	t.Helper()
	return get(t, b, func(ctx context.Context, tx *store.Tx) (calllog.Known, error) { return tx.Known(ctx, arrivals) })
}

// knownToArrivals: of a large group that is of two workspaces each learns what is
// its own, and of agents those that there are.
func knownToArrivals(t *testing.T, b *bench) {
	test, desk, gone, foreign := aCall("ve_1"), anAgent("desk"), anAgent("gone"), anAgent("desk")
	test.StartedAt, foreign.WorkspaceID = start, theirs
	b.insert(t, test)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, desk) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, gone) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, foreign) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAgent(ctx, ours, gone.ID, start) })
	const many = 300
	arrivals, all := make([]calllog.Arriving, many), make([]calllog.Submission, many)
	for i := range arrivals {
		s := b.submission(t, store.NewID("call"), fmt.Sprintf("known-%d", i), calllog.Record{}, nil)
		match := calllog.Match{From: fmt.Sprintf("+1777%d", i), To: fmt.Sprintf("+1888%d", i), StartedAt: start.Add(time.Second)}
		all[i], arrivals[i] = s, calllog.Arriving{
			Key: calllog.Key{WorkspaceID: ours, Provider: s.Provider, ExternalID: s.ExternalID}, Match: match, AgentRef: fmt.Sprintf("agent-%d", i),
		}
	}
	arrivals[7].Match.To, arrivals[8].Match.To, arrivals[9].Match.To = test.To, test.To, test.To
	arrivals[8].Match.From, arrivals[9].Key.WorkspaceID = "", theirs
	arrivals[10].Match = calllog.Match{CallID: "call_x"}
	arrivals[11].AgentRef, arrivals[12].AgentRef, arrivals[13].AgentRef, arrivals[14].AgentRef = "desk", "desk", "gone", ""
	arrivals[15].AgentRef, arrivals[15].Key.WorkspaceID = "desk", theirs
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSubmissions(ctx, all) })
	known := b.known(t, arrivals...)
	for i, a := range arrivals {
		found, there := known.Arrived[a.Key], a.Key.WorkspaceID == ours
		if there != (len(found) == 1) || there && (found[0].CallID != all[i].CallID || found[0].Digest != all[i].Digest) {
			t.Errorf("%d: %+v", i, found)
		}
		if want := i == 7 || i == 10; known.MayBeTest[i] != want {
			t.Errorf("%d may be a test: %v", i, known.MayBeTest[i])
		}
	}
	same(t, "agents", known.Agents, map[calllog.AgentRef]string{
		{WorkspaceID: ours, SourceID: "desk"}: desk.ID, {WorkspaceID: theirs, SourceID: "desk"}: foreign.ID,
	})
	if known := b.known(t); len(known.Arrived)+len(known.MayBeTest)+len(known.Agents) != 0 {
		t.Errorf("of nothing: %+v", known)
	}
	one := calllog.Arriving{Match: calllog.Match{From: test.From, To: test.To, StartedAt: start.Add(time.Hour)}}
	one.Key.WorkspaceID = ours
	if known := b.known(t, one); known.MayBeTest[0] {
		t.Error("a call an hour later may be the test")
	}
	production := aCall("")
	production.Origin, production.To, production.StartedAt = call.Production, arrivals[20].Match.To, start
	b.insert(t, production)
	if known := b.known(t, arrivals[20]); known.MayBeTest[0] {
		t.Error("a production call is taken for a test")
	}
}
