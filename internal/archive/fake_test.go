package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
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

func (f *fakeTx) OldestBeat(context.Context) (time.Time, bool, error) { return time.Time{}, false, nil }

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

// fakeBlobs are recordings by key; opened counts how often each was read and closed how often it was let go.
type fakeBlobs struct {
	blobs          map[string][]byte
	opened, closed int
	// stuck is the key of one that cannot be deleted.
	stuck string
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
	if key == f.stuck {
		return errors.New("permission denied")
	}
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
