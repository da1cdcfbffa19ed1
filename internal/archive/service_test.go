package archive

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestCallsPageNewestFirst(t *testing.T) {
	t.Parallel()
	s, _, _ := bundle()
	ids := func(calls []Listed) (out []string) {
		for _, c := range calls {
			out = append(out, c.ID)
		}
		return out
	}
	page, next, err := s.Calls(t.Context(), "ws_a", Filter{}, 2, "")
	if err != nil || next != "7000005.call_2" {
		t.Fatalf("next %q, error %v", next, err)
	}
	if !reflect.DeepEqual([]string{"call_3", "call_2"}, ids(page)) {
		t.Fatalf("%+v", page)
	}
	page, next, err = s.Calls(t.Context(), "ws_a", Filter{}, 2, next)
	if err != nil || next != "" {
		t.Fatalf("next %q, error %v", next, err)
	}
	if !reflect.DeepEqual([]string{"call_1"}, ids(page)) {
		t.Fatalf("%+v", page)
	}
}

func TestCallsRefuseBadQuestions(t *testing.T) {
	t.Parallel()
	s, _, _ := bundle()
	now := time.Unix(1000, 0)
	many := map[string]string{}
	for i := range MaxMetadataFilters + 1 {
		many[fmt.Sprint(i)] = "x"
	}
	for name, c := range map[string]struct {
		f      Filter
		limit  int
		cursor string
		path   string
	}{
		"limit":    {limit: page.Max + 1, path: "limit"},
		"negative": {limit: -1, path: "limit"},
		"cursor":   {cursor: "agt_1", path: "cursor"},
		"an id":    {cursor: "call_1", path: "cursor"},
		"a time":   {cursor: "1700000000000000", path: "cursor"},
		"another":  {cursor: "1700000000000000.agt_1", path: "cursor"},
		"no time":  {cursor: "99999999999999999999.call_1", path: "cursor"},
		"and more": {cursor: "1700000000000000.call_1 x", path: "cursor"},
		"endless":  {cursor: "1.call_" + strings.Repeat("x", maxCursor), path: "cursor"},
		"times":    {f: Filter{From: now, Until: now}, path: "until"},
		"metadata": {f: Filter{Metadata: many}, path: "metadata"},
	} {
		_, _, err := s.Calls(t.Context(), "ws_a", c.f, c.limit, c.cursor)
		p := problem.As(err)
		if p == nil || p.Code != problem.InvalidFields || len(p.Fields) != 1 || p.Fields[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The limit is one of characters, as the interface tells it.
func TestASearchIsBoundedInCharacters(t *testing.T) {
	t.Parallel()
	s, _, _ := bundle()
	if _, _, err := s.Calls(t.Context(), "ws_a", Filter{Search: strings.Repeat("ü", maxSearch)}, 10, ""); err != nil {
		t.Errorf("%d characters: %v", maxSearch, err)
	}
	if _, _, err := s.Calls(t.Context(), "ws_a", Filter{Search: strings.Repeat("ü", maxSearch+1)}, 10, ""); problem.As(err) == nil {
		t.Errorf("one more: %v", err)
	}
}

func TestCallHasEverything(t *testing.T) {
	t.Parallel()
	s, _, _ := bundle()
	f, err := s.Call(t.Context(), "ws_a", "call_1")
	if err != nil {
		t.Fatal(err)
	}
	if f.Review == nil || f.Review.Verdict != call.Passed || len(f.Call.Attempts) != 2 || f.Last == nil || f.Last.ID != "att_2" || len(f.Last.Timeline) != 1 {
		t.Fatalf("%+v", f)
	}
	f, err = s.Call(t.Context(), "ws_a", "call_3")
	if err != nil || f.Review != nil || f.Last != nil {
		t.Fatalf("a call that was not placed yet: %+v, %v", f, err)
	}
	for _, id := range []string{"call_4", "call_9"} {
		if _, err := s.Call(t.Context(), "ws_a", id); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestRecordingOpensRanges(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	blobs.blobs["k1"] = []byte("0123456789")
	rec, open, err := s.Recording(t.Context(), "ws_a", "call_1")
	if err != nil || rec.Key != "k1" {
		t.Fatalf("%+v, %v", rec, err)
	}
	r, err := open(t.Context(), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(r)
	if string(got) != "234" {
		t.Fatalf("got %q", got)
	}
	for id, hint := range map[string]string{"call_2": "never answered", "call_3": "not over", "call_4": ""} {
		_, _, err := s.Recording(t.Context(), "ws_a", id)
		p := problem.As(err)
		if p == nil || p.Code != problem.NotFound || !strings.Contains(p.Hint, hint) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// The sound of a submitted call is fetched, or may not be kept: nobody here knows that there was none.
func TestWhyASubmittedCallHasNoRecording(t *testing.T) {
	t.Parallel()
	s, tx, _ := bundle()
	tx.calls = append(tx.calls,
		call.Call{ID: "call_5", WorkspaceID: "ws_a", Origin: call.Production, Status: call.Ended, AnsweredAt: time.Unix(7, 0)},
		call.Call{ID: "call_6", WorkspaceID: "ws_a", Origin: call.Production, Status: call.Ended, AnsweredAt: time.Unix(7, 0), Keep: call.KeepBasics},
		call.Call{ID: "call_7", WorkspaceID: "ws_a", Origin: call.Simulated, Status: call.Ended, AnsweredAt: time.Unix(7, 0)})
	for id, hint := range map[string]string{"call_5": "notes", "call_6": "not to be kept", "call_7": "nothing was recorded"} {
		_, _, err := s.Recording(t.Context(), "ws_a", id)
		if p := problem.As(err); p == nil || p.Code != problem.NotFound || !strings.Contains(p.Hint, hint) {
			t.Errorf("%s: %+v", id, p)
		}
	}
}

func TestSweepRemovesWhatNobodyKeeps(t *testing.T) {
	t.Parallel()
	_, tx, blobs := bundle()
	now := time.Unix(1_000_000, 0)
	s := New(Options{Store: tx, Recordings: blobs, Now: func() time.Time { return now }})
	blobs.blobs["ws_a/call_1/att_kept.wav"] = nil
	for i := range sweepPage + 3 { // more than one page
		d := Discarded{WorkspaceID: "ws_a", CallID: "call_1", AttemptID: fmt.Sprintf("att_%04d", i)}
		tx.discarded = append(tx.discarded, d)
		blobs.blobs["ws_a/call_1/"+d.AttemptID+".wav"] = nil
	}
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, kept := blobs.blobs["ws_a/call_1/att_kept.wav"]; !kept || len(blobs.blobs) != 1 {
		t.Errorf("%d recordings are left", len(blobs.blobs))
	}
	if first, last := tx.asked[0], tx.asked[len(tx.asked)-1]; !first.IsZero() || !last.Equal(now.Add(-sweepMargin)) {
		t.Errorf("the first sweep looked from %v, the last from %v", first, last)
	}
}

func TestASweepGoesOnBehindARecordingThatCannotBeRemoved(t *testing.T) {
	t.Parallel()
	_, tx, blobs := bundle()
	s := New(Options{Store: tx, Recordings: blobs, Now: func() time.Time { return time.Unix(1_000_000, 0) }})
	for _, id := range []string{"att_1", "att_2", "att_3"} {
		tx.discarded = append(tx.discarded, Discarded{WorkspaceID: "ws_a", CallID: "call_1", AttemptID: id})
		blobs.blobs["ws_a/call_1/"+id+".wav"] = nil
	}
	blobs.stuck = "ws_a/call_1/att_2.wav"
	if err := s.Sweep(t.Context()); err == nil || len(blobs.blobs) != 1 {
		t.Errorf("%d recordings are left beside the stuck one, and the sweep said %v", len(blobs.blobs)-1, err)
	}
	blobs.stuck = ""
	if err := s.Sweep(t.Context()); err != nil || len(blobs.blobs) != 0 {
		t.Errorf("the next sweep left %d and said %v", len(blobs.blobs), err)
	}
	if next := tx.asked[len(tx.asked)-1]; !next.IsZero() {
		t.Errorf("the next sweep looked from %v on, and the stuck one is older", next)
	}
}
