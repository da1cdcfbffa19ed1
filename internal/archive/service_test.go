package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// fakeTx holds calls newest first, as the store lists them.
type fakeTx struct {
	calls    []call.Call
	reviews  map[string]call.Review
	attempts map[string][]call.Attempt
	reported map[string]call.Reported
	// discarded are in order of their ids; asked are the times from which they were asked for.
	discarded []Discarded
	asked     []time.Time
}

func (f *fakeTx) Discarded(_ context.Context, since time.Time, after string, limit int) ([]Discarded, error) {
	f.asked = append(f.asked, since)
	var out []Discarded
	for _, d := range f.discarded {
		if d.AttemptID > after && len(out) < limit {
			out = append(out, d)
		}
	}
	return out, nil
}

func (f *fakeTx) Read(_ context.Context, do func(Tx) error) error { return do(f) }

func (f *fakeTx) CallByID(_ context.Context, workspaceID, id string) (call.Call, error) {
	for _, c := range f.calls {
		if c.ID == id && c.WorkspaceID == workspaceID {
			c.Attempts = f.attempts[id]
			return c, nil
		}
	}
	return call.Call{}, problem.Missing("call", id)
}

func (f *fakeTx) ReportedOf(_ context.Context, id string) (call.Reported, bool, error) {
	r, ok := f.reported[id]
	return r, ok, nil
}

func (f *fakeTx) Calls(_ context.Context, workspaceID string, _ Filter, limit int, after Place) ([]call.Call, error) {
	var out []call.Call
	for _, c := range f.calls {
		if c.WorkspaceID == workspaceID && (after.ID == "" || after.Begun.Equal(time.UnixMicro(7000005)) && c.ID < after.ID) && len(out) < limit {
			out = append(out, c)
		}
	}
	return out, nil
}

func (f *fakeTx) Glances(_ context.Context, ids []string) (map[string]Glance, error) {
	out := map[string]Glance{}
	for _, id := range ids {
		if r, ok := f.reviews[id]; ok && r.Feeling != nil {
			out[id] = Glance{Upset: r.Feeling.Upset}
		}
	}
	return out, nil
}

func (f *fakeTx) ReviewOf(_ context.Context, id string) (call.Review, bool, error) {
	r, ok := f.reviews[id]
	return r, ok, nil
}

func (f *fakeTx) LastAttempt(_ context.Context, id string) (call.Attempt, bool, error) {
	all := f.attempts[id]
	if len(all) == 0 {
		return call.Attempt{}, false, nil
	}
	last := all[len(all)-1]
	last.Timeline = []call.Event{{Kind: call.KindAnswered}}
	return last, true, nil
}

func (f *fakeTx) AttemptsOf(_ context.Context, id string) ([]call.Attempt, error) {
	return f.attempts[id], nil
}

// fakeBlobs are recordings by key; opened counts how often each was read and closed how often it was let go.
type fakeBlobs struct {
	blobs          map[string][]byte
	opened, closed int
}

func (f *fakeBlobs) OpenRange(_ context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	data, ok := f.blobs[key]
	if !ok {
		return nil, errors.New("no such blob")
	}
	f.opened++
	data = data[offset:]
	if length >= 0 {
		data = data[:length]
	}
	return &closer{Reader: bytes.NewReader(data), f: f}, nil
}

func (f *fakeBlobs) Delete(_ context.Context, key string) error {
	delete(f.blobs, key)
	return nil
}

type closer struct {
	io.Reader
	f *fakeBlobs
}

func (c *closer) Close() error { c.f.closed++; return nil }

func bundle() (*Service, *fakeTx, *fakeBlobs) {
	tx := &fakeTx{
		calls: []call.Call{
			{ID: "call_4", WorkspaceID: "ws_b", ExperimentID: "ve_1"},
			{ID: "call_3", WorkspaceID: "ws_a", Status: call.Queued},
			{ID: "call_2", WorkspaceID: "ws_a", ExperimentID: "ve_1", Status: call.Failed, CreatedAt: time.Unix(1, 0), StartedAt: time.Unix(7, 5000)},
			{
				ID: "call_1", WorkspaceID: "ws_a", ExperimentID: "ve_1", Status: call.Ended,
				Recording: &call.Recording{Key: "k1", Type: "audio/wav", Rate: 8000},
			},
		},
		reviews:  map[string]call.Review{"call_1": {CallID: "call_1", Verdict: call.Passed}},
		attempts: map[string][]call.Attempt{"call_1": {{ID: "att_1", Number: 1}, {ID: "att_2", Number: 2}}},
	}
	blobs := &fakeBlobs{blobs: map[string][]byte{}}
	return New(Options{Store: tx, Recordings: blobs}), tx, blobs
}

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
		"limit":    {limit: MaxPage + 1, path: "limit"},
		"negative": {limit: -1, path: "limit"},
		"cursor":   {cursor: "agt_1", path: "cursor"},
		"an id":    {cursor: "call_1", path: "cursor"},
		"a time":   {cursor: "1700000000000000", path: "cursor"},
		"another":  {cursor: "1700000000000000.agt_1", path: "cursor"},
		"no time":  {cursor: "99999999999999999999.call_1", path: "cursor"},
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

// wav is a file of 16-bit samples with an extra chunk before them, as other tools write.
func wav(channels uint16, samples ...int16) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	b.WriteString("RIFF")
	put(uint32(4 + 24 + 12 + 8 + 2*len(samples)))
	b.WriteString("WAVEfmt ")
	put(uint32(16))
	put(uint16(1))
	put(channels)
	put(uint32(8000))
	put(8000 * 2 * uint32(channels))
	put(2 * channels)
	put(uint16(16))
	b.WriteString("LIST")
	put(uint32(3))
	b.WriteString("abc\x00data")
	put(uint32(2 * len(samples)))
	put(samples)
	return b.Bytes()
}

func TestPeaksFollowBothChannels(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	blobs.blobs["k1"] = wav(2, 1, -1, -5, 7, 30, 0, 2, -9, 100, 1)
	p, err := s.Peaks(t.Context(), "ws_a", "call_1", 2, Window{})
	if err != nil {
		t.Fatal(err)
	}
	want := Peaks{Rate: 8000, Samples: 5, Until: 5, Caller: []Peak{{-5, 1}, {2, 100}}, Agent: []Peak{{-1, 7}, {-9, 1}}}
	if !reflect.DeepEqual(want, p) {
		t.Fatalf("%+v", p)
	}
	p, err = s.Peaks(t.Context(), "ws_a", "call_1", MaxPeaks, Window{})
	if err != nil || len(p.Caller) != 5 || p.Caller[2] != (Peak{30, 30}) || p.Agent[4] != (Peak{1, 1}) {
		t.Fatalf("one peak per sample: %+v, %v", p, err)
	}
	if blobs.closed != blobs.opened {
		t.Fatalf("%d readers opened, %d closed", blobs.opened, blobs.closed)
	}
}

// TestPeaksOfAStretch: a sample is 125 µs long at this rate.
func TestPeaksOfAStretch(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	blobs.blobs["k1"] = wav(2, 1, -1, -5, 7, 30, 0, 2, -9, 100, 1)
	const sample = 125 * time.Microsecond
	for _, c := range []struct {
		w      Window
		caller []Peak
	}{
		{Window{From: sample}, []Peak{{-5, 30}, {2, 100}}},
		{Window{From: 2 * sample, Until: 4 * sample}, []Peak{{30, 30}, {2, 2}}},
		{Window{Until: 2 * sample}, []Peak{{1, 1}, {-5, -5}}},
		{Window{From: 4 * sample, Until: 1 << 62}, []Peak{{100, 100}}},
		{Window{From: time.Hour}, []Peak{}},
	} {
		p, err := s.Peaks(t.Context(), "ws_a", "call_1", 2, c.w)
		if err != nil || !reflect.DeepEqual(p.Caller, c.caller) || p.Samples != 5 {
			t.Errorf("%+v: %+v, %v", c.w, p, err)
		}
	}
	for _, w := range []Window{{From: -1}, {Until: -1}, {From: 2, Until: 2}} {
		if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 2, w); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	if blobs.closed != blobs.opened {
		t.Errorf("%d readers opened, %d closed", blobs.opened, blobs.closed)
	}
}

// Of a long recording the outline is made once; it holds every sample of its
// stretch and at most a stretch of the kept outline more.
func TestLongRecordingsAreReadOnce(t *testing.T) {
	t.Parallel()
	s, tx, blobs := bundle()
	const frames = readWhole + 12_345
	samples := make([]int16, 2*frames)
	for i := range frames {
		samples[2*i] = int16(i / 256 % 30_000)
	}
	samples[2*1_000_000+1], samples[2*(frames-1)+1] = 777, -888
	blobs.blobs["k1"] = wav(2, samples...)
	c := tx.calls[3]
	c.Recording.SHA256, c.Recording.Samples = "digest", frames
	first, err := s.Peaks(t.Context(), "ws_a", "call_1", 100, Window{})
	if err != nil || len(first.Caller) != 100 {
		t.Fatalf("%+v %v", first, err)
	}
	opened := blobs.opened
	again, err := s.Peaks(t.Context(), "ws_a", "call_1", 100, Window{})
	if err != nil || blobs.opened != opened || !reflect.DeepEqual(first, again) {
		t.Errorf("it was read again: %d opened, then %d; %v", opened, blobs.opened, err)
	}
	for i := range 100 {
		from, until := frames*i/100, frames*(i+1)/100
		var agent Peak
		caller := empty()
		for k := from; k < until; k++ {
			widen(&caller, samples[2*k])
			widen(&agent, samples[2*k+1])
		}
		got := first.Caller[i]
		if got.Min > caller.Min || got.Max < caller.Max || got.Min < caller.Min-1 && caller.Min != 0 || got.Max > caller.Max+1 {
			t.Errorf("peak %d is %+v, the samples %+v", i, got, caller)
		}
		if a := first.Agent[i]; a != agent {
			t.Errorf("peak %d of the agent is %+v, the samples %+v", i, a, agent)
		}
	}
	if zoomed, err := s.Peaks(t.Context(), "ws_a", "call_1", 4, Window{From: 125 * time.Second, Until: 125*time.Second + time.Millisecond}); err != nil || zoomed.Agent[0] != (Peak{0, 777}) || zoomed.Agent[1] != (Peak{}) {
		t.Errorf("a part is exact: %+v %v", zoomed, err)
	}
	c.Recording.SHA256 = "other"
	if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 100, Window{}); err != nil || blobs.opened != opened+3 {
		t.Errorf("a recording that has changed is the one before: %v", err)
	}
}

func TestOutlinesAreBounded(t *testing.T) {
	t.Parallel()
	var k outlines
	long := &outlineOf{caller: make([]Peak, outlinesBytes/8/4)}
	for i := range 10 {
		k.put(fmt.Sprint(i), long)
		if k.get("0") == nil {
			t.Errorf("the one that is asked for all the time is gone after %d", i)
		}
	}
	if k.bytes > outlinesBytes || len(k.kept) != 3 || len(k.order) != 3 {
		t.Errorf("%d bytes, %d kept, %d in order", k.bytes, len(k.kept), len(k.order))
	}
	k.put("too long", &outlineOf{caller: make([]Peak, outlinesBytes)})
	if k.get("too long") != nil {
		t.Error("one is kept that is larger than all may be")
	}
}

func TestPeaksRefuseWhatTheyCannotRead(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	for _, n := range []int{0, -1, MaxPeaks + 1} {
		if _, err := s.Peaks(t.Context(), "ws_a", "call_1", n, Window{}); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("n %d: %v", n, err)
		}
	}
	if blobs.opened != 0 {
		t.Error("a bad n opened the recording")
	}
	if _, err := s.Peaks(t.Context(), "ws_b", "call_1", 10, Window{}); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace: %v", err)
	}
	blobs.blobs["k1"] = wav(2, 1, 2, 3, 4)[:50]
	if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 1, Window{}); err == nil {
		t.Error("a recording that is cut off gave peaks")
	}
	blobs.blobs["k1"] = wav(1, 1, 2)
	if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 1, Window{}); err == nil {
		t.Error("a single channel gave peaks of two")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	blobs.blobs["k1"] = wav(2, 1, 2)
	if _, err := s.Peaks(ctx, "ws_a", "call_1", 1, Window{}); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits any more: %v", err)
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

func opener(data []byte) Opener {
	return func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
		part := data[min(offset, int64(len(data))):]
		if length >= 0 {
			part = part[:min(length, int64(len(part)))]
		}
		return io.NopCloser(bytes.NewReader(part)), nil
	}
}

func FuzzOutline(f *testing.F) {
	f.Add(wav(2, 1, 2, 3, 4), 2)
	f.Add(wav(1, 1), 1)
	f.Add([]byte("RIFF\xff\xff\xff\xffWAVEdata"), 4000)
	f.Add([]byte("RIFF0000WAVEfmt \xff\xff\xff\xff"), 3)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n < 1 || n > MaxPeaks {
			return
		}
		p, err := outline(t.Context(), opener(data), n, Window{})
		if err != nil {
			return
		}
		if len(p.Caller) != len(p.Agent) || len(p.Caller) > n || p.Samples > int64(len(data)) {
			t.Fatalf("%d and %d peaks for n %d, %d samples of %d bytes", len(p.Caller), len(p.Agent), n, p.Samples, len(data))
		}
	})
}
