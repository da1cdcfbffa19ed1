package review

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

const rate = 8000

// memory is a database in memory: one transaction at a time, undone on error.
type memory struct {
	mu   sync.Mutex
	rows rows
	// away is the error of every transaction while it is set.
	away error
}

type rows struct {
	Calls    map[string]call.Call
	Attempts map[string]call.Attempt
	Plans    map[string]score.Plan
	Reviews  map[string]call.Review
	Tools    map[string][]call.ToolCall
	Heard    map[string]call.Heard
	Beats    map[string]time.Time
	Told     map[string]call.Reported
	Fetches  map[string]Fetch
	By       map[string]string
	Begun    map[string]int64
	Stored   map[string]int64
	Replays  map[string]Replay
	Jobs     []string
}

func (m *memory) Write(_ context.Context, f func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away != nil {
		return m.away
	}
	before, err := json.Marshal(m.rows)
	if err != nil {
		return err
	}
	if err := f(&memTx{&m.rows}); err != nil {
		m.rows = rows{}
		return errors.Join(err, json.Unmarshal(before, &m.rows))
	}
	return nil
}

func (m *memory) Read(ctx context.Context, f func(Tx) error) error { return m.Write(ctx, f) }

type memTx struct{ r *rows }

func (t *memTx) CallByID(_ context.Context, _, id string) (call.Call, error) {
	c, ok := t.r.Calls[id]
	if !ok {
		return c, problem.Missing("call", id)
	}
	return c, nil
}

func (t *memTx) AgentByID(_ context.Context, _, id string) (scenario.Agent, error) {
	if strings.Contains(id, "\x00") { // as PostgreSQL does
		return scenario.Agent{}, problem.New(problem.InvalidFields, "a text holds a character that cannot be kept")
	}
	return scenario.Agent{}, problem.Missing("agent", id)
}

func (t *memTx) UpdateCall(_ context.Context, c call.Call) error {
	t.r.Calls[c.ID] = c
	return nil
}

func (t *memTx) LastAttempt(_ context.Context, id string) (call.Attempt, bool, error) {
	a, ok := t.r.Attempts[id]
	return a, ok, nil
}

func (t *memTx) PlanOf(_ context.Context, id string) (score.Plan, error) { return t.r.Plans[id], nil }

func (t *memTx) SaveReview(_ context.Context, r call.Review) error {
	t.r.Reviews[r.CallID] = r
	return nil
}

func (t *memTx) AgentRecord(_ context.Context, id string) ([]call.ToolCall, bool, error) {
	tools, ok := t.r.Tools[id]
	return tools, ok, nil
}

func (t *memTx) ReviewOf(_ context.Context, id string) (call.Review, bool, error) {
	r, ok := t.r.Reviews[id]
	return r, ok, nil
}

func (t *memTx) NoteReview(_ context.Context, id string, number int64, _ *call.Feeling, by string) error {
	t.r.By[id], t.r.Stored[id] = by, number
	return nil
}

func (t *memTx) ReviewedBy(_ context.Context, id string) (string, error) { return t.r.By[id], nil }

func (t *memTx) FetchOf(_ context.Context, id string) (Fetch, bool, error) {
	f, ok := t.r.Fetches[id]
	return f, ok, nil
}

func (t *memTx) SaveFetch(_ context.Context, f Fetch) error {
	t.r.Fetches[f.CallID] = f
	return nil
}

func (t *memTx) InsertReplay(_ context.Context, r Replay) error {
	t.r.Replays[r.ID] = r
	return nil
}

func (t *memTx) ReplayByID(_ context.Context, _, id string) (Replay, error) {
	r, ok := t.r.Replays[id]
	if !ok {
		return r, problem.Missing("replay", id)
	}
	return r, nil
}

func (t *memTx) LockReplay(ctx context.Context, ws, id string) (Replay, error) {
	return t.ReplayByID(ctx, ws, id)
}

func (t *memTx) SaveReplay(_ context.Context, r Replay) error {
	t.r.Replays[r.ID] = r
	return nil
}

func (t *memTx) Replays(context.Context, string, int, string) ([]Replay, error) {
	return slices.Collect(maps.Values(t.r.Replays)), nil
}

func (t *memTx) ToReplay(_ context.Context, _ string, s Scope, after string, limit int) (ids []string, err error) {
	for _, id := range slices.Sorted(maps.Keys(t.r.Calls)) {
		late := !s.Before.IsZero() && !t.r.Calls[id].CreatedAt.Before(s.Before)
		if id > after && !late && len(ids) < limit && t.r.Calls[id].ScoringStatus.Over() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (t *memTx) CountToReplay(ctx context.Context, ws string, s Scope) (int, error) {
	ids, err := t.ToReplay(ctx, ws, s, "", len(t.r.Calls))
	return len(ids), err
}

func (t *memTx) ReportedOf(_ context.Context, id string) (call.Reported, bool, error) {
	r, ok := t.r.Told[id]
	return r, ok, nil
}

func (t *memTx) BeatReview(_ context.Context, id string, now time.Time) error {
	t.r.Beats[id] = now
	return nil
}

func (t *memTx) BeginReview(ctx context.Context, id string, now time.Time) (int64, error) {
	t.r.Begun[id]++
	return t.r.Begun[id], t.BeatReview(ctx, id, now)
}

func (t *memTx) EndReview(ctx context.Context, id string, number int64, now time.Time) (bool, error) {
	return t.r.Stored[id] > number, t.BeatReview(ctx, id, now)
}

func (t *memTx) HeardOf(_ context.Context, digest, engines string) (call.Heard, bool, error) {
	h, ok := t.r.Heard[digest+engines]
	return h, ok, nil
}

func (t *memTx) KeepHeard(_ context.Context, digest, engines string, h call.Heard) error {
	t.r.Heard[digest+engines] = h
	return nil
}

func (t *memTx) EraseHeard(_ context.Context, digest string) error {
	maps.DeleteFunc(t.r.Heard, func(of string, _ call.Heard) bool { return strings.HasPrefix(of, digest) })
	return nil
}

func (t *memTx) StalledReviews(_ context.Context, now time.Time, silent time.Duration, limit int) (ids []string, err error) {
	for id, at := range t.r.Beats {
		if t.r.Calls[id].ScoringStatus == call.ScoringNow && at.Before(now.Add(-silent)) && len(ids) < limit {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (t *memTx) Enqueue(_ context.Context, kind, id string, _ time.Duration) error {
	t.r.Jobs = append(t.r.Jobs, kind+" "+id)
	return nil
}

// shelf stores recordings by key.
type shelf struct {
	blobs map[string][]byte
	err   error
}

func (s *shelf) Open(_ context.Context, key string) (io.ReadCloser, error) {
	if s.err != nil {
		return nil, s.err
	}
	b, ok := s.blobs[key]
	if !ok {
		return nil, problem.Missing("recording", key)
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// scribe is a recogniser with preset answers.
type scribe struct {
	// control is what it understands of the caller.
	control string
	texts   []string
	// sure is its confidence in each word of its last text, readings are alternatives to that
	// text.
	sure     float64
	readings []string
	err      error
	asked    []Speech
}

func (s *scribe) Engine() (string, bool) { return "scribe 1", false }

func (s *scribe) Transcribe(_ context.Context, r Speech) ([]Transcript, error) {
	s.asked = append(s.asked, r)
	if s.err != nil {
		return nil, s.err
	}
	out := make([]Transcript, len(r.Segments))
	if r.Segments[0].Start == 3*time.Second { // the caller's line
		out[0].Text = s.control
		return out, nil
	}
	for i := range out {
		if i < len(s.texts) {
			out[i].Text = s.texts[i]
		}
	}
	if last := &out[len(out)-1]; s.sure > 0 {
		last.Readings = s.readings
		for i := range out {
			for w := range strings.FieldsSeq(out[i].Text) {
				sure := 1.0
				if i == len(out)-1 {
					sure = s.sure
				}
				out[i].Words = append(out[i].Words, call.Word{Text: w, Confidence: sure})
			}
		}
	}
	return out, nil
}

// bundle is a service with one good call: the agent greets (0.5 s to 2 s), the caller asks (3
// s to 4.5 s), the agent answers (5.2 s to 7 s), and the caller hangs up at 8 s at the end of
// its script.
type bundle struct {
	store    *memory
	shelf    *shelf
	scribe   *scribe
	service  *Service
	now      time.Time
	settled  []call.Call
	settleBy error
}

var answered = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

const id = "call_1"

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{
		store: &memory{rows: rows{
			Calls: map[string]call.Call{}, Attempts: map[string]call.Attempt{}, Plans: map[string]score.Plan{}, Reviews: map[string]call.Review{},
			Tools: map[string][]call.ToolCall{}, Heard: map[string]call.Heard{}, Beats: map[string]time.Time{}, Told: map[string]call.Reported{},
			Fetches: map[string]Fetch{}, By: map[string]string{}, Begun: map[string]int64{}, Stored: map[string]int64{}, Replays: map[string]Replay{},
		}},
		shelf:  &shelf{blobs: map[string][]byte{}},
		scribe: &scribe{control: "what does a visit cost", texts: []string{"willow clinic how can I help", "that is forty five dollars"}},
		now:    answered.Add(9 * time.Second),
	}
	end := call.EndOf(call.EndCompleted, "BYE")
	b.store.rows.Calls[id] = call.Call{
		ID: id, WorkspaceID: "ws_1", Origin: call.Simulated, Line: "sip", Status: call.Ended, ScoringStatus: call.ScoringPending,
		EndReason: end, AnsweredAt: answered, EndedAt: answered.Add(8 * time.Second),
	}
	b.store.rows.Attempts[id] = call.Attempt{ID: "att_1", CallID: id, Number: 1, Rate: rate, AnsweredAt: answered, EndReason: end, Timeline: []call.Event{
		{At: 2800 * ms, Kind: call.KindStep, Data: map[string]any{"path": "script[0]", "step": "say", "index": 0}},
		{At: 3000 * ms, End: 4500 * ms, Kind: call.KindSaid, Text: "What does a visit cost?"},
		{At: 7500 * ms, Kind: call.KindScriptDone},
		{At: 600 * ms, Kind: call.KindAgentStarted}, {At: 2000 * ms, Kind: call.KindAgentEnded},
		{At: 5300 * ms, Kind: call.KindAgentStarted}, {At: 7000 * ms, Kind: call.KindAgentEnded},
	}}
	b.store.rows.Plans[id] = score.Plan{Item: scenario.Item{
		Input:  scenario.Input{Script: []scenario.Step{{Say: "What does a visit cost?"}}},
		Output: scenario.Output{FactsStated: map[string]string{"price": "$45"}},
	}}
	b.record(t, []stretch{{3000, 4500}}, []stretch{{500, 2000}, {5200, 7000}}, 8*time.Second)
	b.service = New(Options{
		Store: b.store, Recordings: b.shelf, Transcriber: b.scribe, Now: func() time.Time { return b.now }, BeatEvery: time.Hour,
		Settled: func(_ context.Context, _ Tx, c call.Call, _ call.Review, _ call.Reported) error {
			if b.settleBy != nil {
				return b.settleBy
			}
			b.settled = append(b.settled, c)
			return nil
		},
	})
	return b
}

const ms = time.Millisecond

// stretch is a stretch of sound, in ms.
type stretch struct{ from, to int }

// record stores a recording with syllable-like bursts where somebody speaks.
func (b *bundle) record(t *testing.T, caller, agent []stretch, length time.Duration) {
	t.Helper()
	n := int(length * rate / time.Second)
	left, right := make([]int16, n), make([]int16, n)
	lay(left, caller, 300)
	lay(right, agent, 700)
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, left, right); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(w.Bytes())
	b.shelf.blobs["rec"] = w.Bytes()
	c := b.store.rows.Calls[id]
	c.Recording = &call.Recording{
		Key: "rec", Type: "audio/wav", Rate: rate, Samples: int64(n), Bytes: int64(w.Len()), CallerCoverage: 1, AgentCoverage: 1,
		SHA256: hex.EncodeToString(sum[:]),
	}
	b.store.rows.Calls[id] = c
}

func lay(pcm []int16, where []stretch, hz float64) {
	for _, s := range where {
		tone := audio.Tone(hz, 8000, time.Duration(s.to-s.from)*ms, rate)
		audio.Mix(pcm[s.from*rate/1000:], tone)
	}
}

func (b *bundle) change(f func(c *call.Call, a *call.Attempt, p *score.Plan)) {
	c, a, p := b.store.rows.Calls[id], b.store.rows.Attempts[id], b.store.rows.Plans[id]
	f(&c, &a, &p)
	b.store.rows.Calls[id], b.store.rows.Attempts[id], b.store.rows.Plans[id] = c, a, p
}

// review runs the job and returns what was stored.
func (b *bundle) review(t *testing.T) (call.Call, call.Review) {
	t.Helper()
	if err := b.service.Review(t.Context(), id); err != nil {
		t.Fatalf("the review failed: %v", err)
	}
	return b.store.rows.Calls[id], b.store.rows.Reviews[id]
}
