package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// submission makes one that tells r of the call; raw is its body, nil for none.
func (b *bench) submission(t *testing.T, callID, externalID string, r calllog.Record, raw []byte) calllog.Submission {
	t.Helper()
	s := calllog.Submission{
		ID: store.NewID("log"), WorkspaceID: ours, Provider: "custom", ExternalID: externalID, CallID: callID,
		HasTranscript: r.HasTranscript, ReceivedAt: start, Digest: store.NewID("digest"), Kind: calllog.KindLog,
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	s.Packed = b.Pack(text, raw)
	return s
}

func said(tools ...call.ToolCall) calllog.Record {
	return calllog.Record{Reported: call.Reported{
		HasTranscript: true, ToolCalls: tools, Turns: []call.Turn{{Index: 0, Speaker: call.Caller, Text: "hello"}},
	}}
}

func submissions(t *testing.T, b *bench) {
	c := aCall("ve_1")
	b.insert(t, c)
	record := func() ([]call.ToolCall, bool) {
		var ok bool
		return get(t, b, func(ctx context.Context, tx *store.Tx) (tools []call.ToolCall, err error) {
			tools, ok, err = tx.AgentRecord(ctx, c.ID)
			return tools, err
		}), ok
	}
	book := call.ToolCall{ID: "1", Name: "book", Arguments: json.RawMessage(`{"day": "Monday"}`)}
	booked, note := call.ToolCall{ID: "1", Name: "book", Result: "done"}, call.ToolCall{Name: "note"}
	body := []byte(`{"raw": true}`)
	silent, first, second := b.submission(t, c.ID, "x-2", calllog.Record{}, nil), b.submission(t, c.ID, "x-1", said(book), body), b.submission(t, c.ID, "x-1", said(booked, note, note), body)
	second.ReceivedAt = start.Add(time.Second)
	add := func(all ...calllog.Submission) {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSubmissions(ctx, all) })
	}
	add(silent)
	if tools, ok := record(); ok {
		t.Errorf("a submission without transcript is a record: %v", tools)
	}
	add(first, second)
	tools, ok := record()
	both := book
	both.Result = "done"
	if !ok || len(tools) != 3 {
		t.Fatalf("record: %v, %v", tools, ok)
	}
	for _, tool := range tools {
		if tool.ID == "1" {
			tool.Arguments = json.RawMessage(`{"day": "Monday"}`) // compacted or not
			same(t, "the call that both tell of", tool, both)
		}
	}
	key := calllog.Key{WorkspaceID: ours, Provider: "custom", ExternalID: "x-1"}
	theirKey, noKey := key, key
	theirKey.WorkspaceID, noKey.ExternalID = theirs, "x-9"
	found := get(t, b, func(ctx context.Context, tx *store.Tx) (map[calllog.Key][]calllog.Arrived, error) {
		known, err := tx.Known(ctx, []calllog.Arriving{{Key: key}, {Key: theirKey}, {Key: noKey}})
		return known.Arrived, err
	})
	if len(found) != 1 || len(found[key]) != 2 || found[key][0].CallID != c.ID || found[key][0].Digest == found[key][1].Digest {
		t.Errorf("arrived: %+v", found)
	}
	raw := get(t, b, func(ctx context.Context, tx *store.Tx) ([]byte, error) {
		return tx.RawSubmission(ctx, ours, c.ID, first.ID)
	})
	if !bytes.Equal(raw, body) {
		t.Errorf("raw: %s", raw)
	}
	for _, path := range [][3]string{{ours, c.ID, silent.ID}, {theirs, c.ID, first.ID}, {ours, "call_x", first.ID}} {
		b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.RawSubmission(ctx, path[0], path[1], path[2])
			return err
		})
	}
	all := get(t, b, func(ctx context.Context, tx *store.Tx) ([]calllog.Submission, error) {
		return tx.SubmissionsOf(ctx, c.ID)
	})
	if len(all) != 3 || all[2].ID != second.ID {
		t.Errorf("submissions in the order they came: %+v", all)
	}
	kept := func() (n int, size int64) {
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			n, size, err = tx.KeptOf(ctx, c.ID)
			return err
		})
		return n, size
	}
	_, before := kept()
	const long = 1 << 20 // of which packing leaves little
	add(b.submission(t, c.ID, "x-1", calllog.Record{}, make([]byte, long)))
	if n, after := kept(); n != 4 || before <= 0 || after-before < long || after-before > long+1000 {
		t.Errorf("%d submissions of %d bytes, and %d before the last", n, after, before)
	}
}

// erasure: what a record is replaced by is all that is left of it.
func erasure(t *testing.T, b *bench) {
	c := aCall("")
	c.Origin = call.Production
	b.insert(t, c)
	full, bare := b.submission(t, c.ID, "x-1", said(), []byte(`{}`)), b.submission(t, c.ID, "x-1", calllog.Record{Keep: calllog.KeepBasics}, nil)
	r := call.Review{CallID: c.ID, Reason: "they said so"}
	sum := "aa11"
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertSubmissions(ctx, []calllog.Submission{full}); err != nil {
			return err
		}
		if err := tx.SaveReview(ctx, r); err != nil {
			return err
		}
		if err := tx.KeepHeard(ctx, "aa110", "one", call.Heard{}); err != nil {
			return err
		}
		return tx.KeepHeard(ctx, sum, "one", call.Heard{})
	})
	bare.ID = full.ID
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.ReplaceRecord(ctx, bare); err != nil {
			return err
		}
		return tx.EraseReview(ctx, c.ID, sum)
	})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.RawSubmission(ctx, ours, c.ID, full.ID)
		return err
	})
	told := get(t, b, func(ctx context.Context, tx *store.Tx) (calllog.Record, error) {
		r, _, err := tx.RecordOf(ctx, c.ID)
		return r, err
	})
	if told.HasTranscript || len(told.Turns) > 0 || told.Keep != calllog.KeepBasics {
		t.Errorf("left: %+v", told)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if _, ok, err := tx.ReviewOf(ctx, c.ID); ok || err != nil {
			t.Errorf("the review is still there: %v", err)
		}
		if _, ok, err := tx.HeardOf(ctx, sum, "one"); ok || err != nil {
			t.Errorf("what was heard is still there: %v", err)
		}
		if _, ok, err := tx.HeardOf(ctx, "aa110", "one"); !ok || err != nil {
			t.Errorf("what was heard on another recording is gone: %v", err)
		}
		return nil
	})
}

func links(t *testing.T, b *bench) {
	named, other, linked, foreign := aCall(""), aCall(""), aCall(""), aCall("")
	for _, c := range []*call.Call{&named, &other, &linked, &foreign} {
		c.Origin, c.AgentRef, c.AgentID = call.Production, "front", ""
	}
	named.AgentInferred, other.AgentRef, linked.AgentID, foreign.WorkspaceID = true, "back", "agt_x", theirs
	b.insert(t, named, other, linked, foreign)
	a := scenario.Agent{ID: store.NewID("agt"), WorkspaceID: ours, SourceID: "front", CreatedAt: start, UpdatedAt: start}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertAgent(ctx, a); err != nil {
			return err
		}
		if got, ok, err := tx.AgentOf(ctx, a.ID); !ok || err != nil || got.SourceID != "front" {
			t.Errorf("agent %+v, %v, %v", got, ok, err)
		}
		ids, err := tx.LinkCalls(ctx, a, 10)
		same(t, "linked", ids, []string{named.ID})
		return err
	})
	for id, want := range map[string]string{named.ID: a.ID, other.ID: "", linked.ID: "agt_x", foreign.ID: ""} {
		c := get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, "", id) })
		if c.AgentID != want {
			t.Errorf("%s is linked to %q, want %q", id, c.AgentID, want)
		}
		if id == named.ID && !c.AgentInferred {
			t.Error("the mark of an inferred link is gone")
		}
	}
}

// arrivedTogether: many calls that arrive at once are stored as they are, tell
// what their bodies tell, and are found by their metadata a little later.
func arrivedTogether(t *testing.T, b *bench) {
	calls := make([]call.Call, 5)
	for i := range calls {
		calls[i] = aCall("")
		calls[i].Origin, calls[i].Metadata = call.Production, map[string]any{"ticket": json.Number("7"), "campaign": "spring"}
	}
	calls[4].Metadata = map[string]any{"ticket": json.Number("8")}
	calls[0].From, calls[0].Trunk, calls[3].VerdictReason = "", "", "late"
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertArrived(ctx, calls, false) })
	for _, want := range calls {
		same(t, "a call", get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, ours, want.ID) }), want)
	}
	ids := make([]string, len(calls))
	for i := range calls {
		ids[i] = calls[i].ID
	}
	found := func() int {
		return len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
			return tx.Calls(ctx, ours, archive.Filter{Metadata: map[string]string{"ticket": "7"}}, 10, archive.Place{})
		}))
	}
	if n := found(); n != 0 {
		t.Errorf("%d are found that are not findable", n)
	}
	for range 2 {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.MakeFindable(ctx, ids) })
		if n := found(); n != 4 {
			t.Errorf("%d are found", n)
		}
	}
	body := []byte(`{"payload": {}}`)
	s := b.submission(t, ids[0], "x-1", calllog.Record{}, nil)
	s.Packed = b.Pack(nil, body)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertSubmissions(ctx, []calllog.Submission{s})
	})
	b.ReadBodies(func(provider string, body []byte) (calllog.Record, error) {
		return calllog.Record{From: provider, To: string(body)}, nil
	})
	told := get(t, b, func(ctx context.Context, tx *store.Tx) (calllog.Record, error) {
		r, _, err := tx.RecordOf(ctx, ids[0])
		return r, err
	})
	if told.From != s.Provider || told.To != string(body) {
		t.Errorf("the body tells %+v", told)
	}
	raw := get(t, b, func(ctx context.Context, tx *store.Tx) ([]byte, error) {
		return tx.RawSubmission(ctx, ours, ids[0], s.ID)
	})
	if !bytes.Equal(raw, body) {
		t.Errorf("raw: %s", raw)
	}
}

// arrivedWithin: what arrives is there for whoever asks in the same transaction,
// and a mistake in it, whenever it is noticed, leaves nothing behind.
func arrivedWithin(t *testing.T, b *bench) {
	calls := make([]call.Call, 3)
	all := make([]calllog.Submission, len(calls))
	for i := range calls {
		calls[i] = aCall("")
		calls[i].Origin, calls[i].Metadata = call.Production, map[string]any{"line": json.Number("9")}
		all[i] = b.submission(t, calls[i].ID, "within-"+strconv.Itoa(i), said(), nil)
	}
	keys := []calllog.Key{{WorkspaceID: ours, Provider: all[0].Provider, ExternalID: all[0].ExternalID}}
	arrive := func(ctx context.Context, tx *store.Tx, all []calllog.Submission) error {
		if err := tx.LockArrivals(ctx, keys); err != nil {
			return err
		}
		if err := tx.InsertArrived(ctx, calls, true); err != nil {
			return err
		}
		return tx.InsertSubmissions(ctx, all)
	}
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error { return arrive(ctx, tx, append(all, all[0])) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.CallByID(ctx, ours, calls[0].ID)
		return err
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := arrive(ctx, tx, all); err != nil {
			return err
		}
		known, err := tx.Known(ctx, []calllog.Arriving{{Key: keys[0]}})
		if found := known.Arrived[keys[0]]; len(found) != 1 || found[0].CallID != calls[0].ID {
			t.Errorf("within the transaction there are %v", known)
		}
		return err
	})
	found := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
		return tx.Calls(ctx, ours, archive.Filter{Metadata: map[string]string{"line": "9"}}, 10, archive.Place{})
	})
	if len(found) != len(calls) {
		t.Errorf("%d calls are found by their metadata, want %d", len(found), len(calls))
	}
}
