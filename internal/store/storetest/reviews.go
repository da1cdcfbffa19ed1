package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/store"
)

func reviews(t *testing.T, b *bench) {
	c, other, elsewhere := aCall("ve_1"), aCall("ve_1"), aCall("ve_2")
	b.insert(t, c, other, elsewhere)
	value := 0.75
	r := call.Review{
		CallID: c.ID, Verdict: call.Passed, Reason: "fine", At: start.Add(123 * time.Nanosecond),
		Heard: call.Heard{
			Caller: []call.Segment{{Start: time.Second}}, Agent: []call.Segment{{Start: time.Minute}}, Turns: []call.Turn{{Text: "ja", Words: []call.Word{{Text: "ja"}}}},
			Engines: map[string]string{"stt": "listener 1"}, SelfTestGrade: true, Length: 2 * time.Minute,
		},
		Metrics: []call.Metric{{Name: "turn_latency", Version: 1, Unit: "s", Value: &value, Spread: &call.Spread{N: 1, Values: []float64{0.75}}}},
		Scores:  []call.Score{{Name: "say", Evidence: []call.Evidence{{Turn: -1, Quote: "ja"}}}},
	}
	of := func(id string) (call.Review, bool) {
		var ok bool
		r := get(t, b, func(ctx context.Context, tx *store.Tx) (r call.Review, err error) {
			r, ok, err = tx.ReviewOf(ctx, id)
			return r, err
		})
		return r, ok
	}
	if _, ok := of(c.ID); ok {
		t.Error("a review before there is one")
	}
	for _, reason := range []string{"first", "second"} {
		r.Reason = reason
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SaveReview(ctx, r) })
	}
	got, _ := of(c.ID)
	same(t, "latest review", got, r)
	far := call.Review{CallID: elsewhere.ID}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SaveReview(ctx, far) })
	same(t, "reviews of some calls", get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]call.Review, error) {
		return tx.ReviewsOf(ctx, []string{"call_none", c.ID})
	}), map[string]call.Review{c.ID: withoutWords(r)})
}

// withoutWords is a review without the places of the segments and words that were heard.
func withoutWords(r call.Review) call.Review {
	r.Heard.Caller, r.Heard.Agent, r.Heard.Turns = nil, nil, slices.Clone(r.Heard.Turns)
	for i := range r.Heard.Turns {
		r.Heard.Turns[i].Words = nil
	}
	return r
}

func stalledReviews(t *testing.T, b *bench) {
	stalled, beating, pending := aCall("ve_1"), aCall("ve_1"), aCall("ve_1")
	stalled.ScoringStatus, beating.ScoringStatus = call.ScoringNow, call.ScoringNow
	b.insert(t, stalled, beating, pending)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.BeatReview(ctx, stalled.ID, start) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.BeatReview(ctx, beating.ID, start.Add(time.Minute))
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, beating) }) // keeps the beat
	same(t, "stalled", get(t, b, func(ctx context.Context, tx *store.Tx) ([]string, error) {
		return tx.StalledReviews(ctx, start.Add(90*time.Second), time.Minute, 10)
	}), []string{stalled.ID})
	same(t, "a day earlier, by a clock that was set back", get(t, b, func(ctx context.Context, tx *store.Tx) ([]string, error) {
		return tx.StalledReviews(ctx, start.Add(-24*time.Hour), time.Minute, 10)
	}), []string{stalled.ID, beating.ID})
}

// stalledByOneClock: on a database with a time of its own a review is alive however far the clocks of
// the processes are apart; on the others there is one process, which has the time.
func stalledByOneClock(t *testing.T, b *bench) {
	c := aCall("ve_1")
	c.ScoringStatus = call.ScoringNow
	b.insert(t, c)
	stalled := func(silent time.Duration) []string {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]string, error) {
			return tx.StalledReviews(ctx, time.Time{}, silent, 10)
		})
	}
	same(t, "never begun", stalled(time.Hour), []string{c.ID})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.BeatReview(ctx, c.ID, time.Time{}) })
	same(t, "begun a moment ago", len(stalled(time.Hour)), 0)
	same(t, "silent for longer than allowed", stalled(-time.Minute), []string{c.ID})
}

// overtakenReviews began before the one that is stored.
func overtakenReviews(t *testing.T, b *bench) {
	c, other := aCall("ve_1"), aCall("ve_1")
	b.insert(t, c, other)
	begin := func(id string, now time.Time) (number int64) {
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			number, err = tx.BeginReview(ctx, id, now)
			return err
		})
		return number
	}
	overtaken := func(number int64) (yes bool) {
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			yes, err = tx.EndReview(ctx, c.ID, number, start)
			return err
		})
		return yes
	}
	first, second, third := begin(c.ID, start), begin(c.ID, time.Time{}), begin(c.ID, start)
	if first >= second || second >= third || begin(other.ID, start) != first {
		t.Errorf("reviews are numbered %d, %d, %d", first, second, third)
	}
	same(t, "overtaken while none is stored", overtaken(first), false)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.NoteReview(ctx, c.ID, second, nil, "") })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, c) }) // keeps the numbers
	same(t, "overtaken", []bool{overtaken(first), overtaken(second), overtaken(third)}, []bool{true, false, false})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.BeginReview(ctx, "call_none", start)
		return err
	})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.EndReview(ctx, "call_none", 1, start)
		return err
	})
}

// payloads is a property: whatever is kept compressed comes back as it was.
func payloads(t *testing.T, b *bench) {
	draw := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aä€\u0000\"\\<>&\u2028🎙 \n")
	text := func(n int) string {
		out := make([]rune, n)
		for i := range out {
			out[i] = letters[draw.IntN(len(letters))]
		}
		return string(out)
	}
	for _, n := range []int{0, 1, 10, 1000, 50_000} {
		h := call.Heard{Engines: map[string]string{"stt": text(3)}, Length: time.Duration(draw.Int64())}
		for i := range n / 10 {
			start := time.Duration(draw.Int64())
			h.Turns = append(h.Turns, call.Turn{Index: i, Speaker: call.Agent, Text: text(n % 997), Start: start, Words: []call.Word{{Text: text(2)}}})
			h.Caller = append(h.Caller, call.Segment{Start: start, End: -start})
		}
		sum, engines := text(0)+"sum", text(400)
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.KeepHeard(ctx, sum, engines, h) })
		got := get(t, b, func(ctx context.Context, tx *store.Tx) (call.Heard, error) {
			if _, ok, err := tx.HeardOf(ctx, sum, engines+"2"); ok || err != nil {
				t.Errorf("other engines heard it too: %v, %v", ok, err)
			}
			h, _, err := tx.HeardOf(ctx, sum, engines)
			return h, err
		})
		same(t, "heard", got, h)
	}
}

// feelings narrow lists of calls.
func feelings(t *testing.T, b *bench) {
	upset, calm, unknown := aCall("ve_1"), aCall("ve_1"), aCall("ve_1")
	b.insert(t, upset, calm, unknown)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if by, err := tx.ReviewedBy(ctx, upset.ID); by != "" || err != nil {
			t.Errorf("reviewed by %q before there is a review, %v", by, err)
		}
		turns := []call.TurnFeeling{{Turn: 1}}
		return errors.Join(
			tx.NoteReview(ctx, upset.ID, 1, &call.Feeling{Turns: turns, Sentiment: call.Negative, Upset: true, Frustration: 0.8}, "a"),
			tx.NoteReview(ctx, calm.ID, 1, &call.Feeling{Turns: turns, Sentiment: call.Positive}, "b"),
			tx.NoteReview(ctx, unknown.ID, 1, nil, "c"),
			tx.UpdateCall(ctx, upset), // keeps all of that
		)
	})
	yes, no := true, false
	for _, c := range []struct {
		name   string
		filter archive.Filter
		want   []string
	}{
		{"negative", archive.Filter{Sentiment: call.Negative}, []string{upset.ID}},
		{"positive", archive.Filter{Sentiment: call.Positive}, []string{calm.ID}},
		{"upset", archive.Filter{Upset: &yes}, []string{upset.ID}},
		{"not upset", archive.Filter{Upset: &no}, []string{calm.ID}},
		{"both", archive.Filter{Upset: &no, Sentiment: call.Negative}, nil},
	} {
		var ids []string
		for _, c := range get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
			return tx.Calls(ctx, ours, c.filter, 10, archive.Place{})
		}) {
			ids = append(ids, c.ID)
		}
		slices.Sort(ids)
		slices.Sort(c.want)
		same(t, c.name, ids, c.want)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutFact(ctx, monitor.Fact{CallID: upset.ID, WorkspaceID: ours, Figures: monitor.Figures{Latencies: []float64{4, 1.002, 1, 0.5}}})
	})
	middle := 1001 * time.Millisecond
	same(t, "glances", get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]archive.Glance, error) {
		return tx.Glances(ctx, []string{upset.ID, calm.ID, unknown.ID})
	}), map[string]archive.Glance{
		upset.ID: {Sentiment: call.Negative, Upset: true, TurnLatency: &middle}, calm.ID: {Sentiment: call.Positive}, unknown.ID: {},
	})
	same(t, "basis", get(t, b, func(ctx context.Context, tx *store.Tx) (string, error) { return tx.ReviewedBy(ctx, upset.ID) }), "a")
}

// fetches tell how far recordings have come.
func fetches(t *testing.T, b *bench) {
	c := aCall("")
	b.insert(t, c)
	find := func() (review.Fetch, bool) {
		var ok bool
		return get(t, b, func(ctx context.Context, tx *store.Tx) (f review.Fetch, err error) {
			f, ok, err = tx.FetchOf(ctx, c.ID)
			return f, err
		}), ok
	}
	if _, ok := find(); ok {
		t.Error("a fetch that nobody began")
	}
	want := review.Fetch{CallID: c.ID, Source: "abc", State: review.FetchWanted, FirstAt: start}
	for range 2 {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SaveFetch(ctx, want) })
		got, _ := find()
		same(t, "fetch", got, want)
		want.State, want.Tries, want.Reason = review.FetchFailed, 3, "it is gone"
	}
}

// replays remember how far they have come, and find what is left.
func replays(t *testing.T, b *bench) {
	early, late, pending, foreign := aCall(""), aCall(""), aCall(""), aCall("")
	early.ScoringStatus, late.ScoringStatus, foreign.ScoringStatus = call.Scored, call.ScoringFailed, call.Scored
	early.StartedAt, late.StartedAt, foreign.WorkspaceID = start.Add(-time.Hour), start.Add(time.Hour), theirs
	early.Origin, late.AgentID, late.CreatedAt = call.Production, "agt_7", start.Add(time.Minute)
	b.insert(t, early, late, pending, foreign)
	for _, c := range []struct {
		name  string
		scope review.Scope
		want  []string
	}{
		{"all", review.Scope{}, []string{early.ID, late.ID}},
		{"since", review.Scope{Since: start}, []string{late.ID}},
		{"until", review.Scope{Until: start}, []string{early.ID}},
		{"origin", review.Scope{Origin: call.Production}, []string{early.ID}},
		{"agent", review.Scope{AgentID: "agt_7"}, []string{late.ID}},
		{"stored before", review.Scope{Before: start.Add(time.Minute)}, []string{early.ID}},
	} {
		ids := get(t, b, func(ctx context.Context, tx *store.Tx) ([]string, error) {
			n, err := tx.CountToReplay(ctx, ours, c.scope)
			if n != len(c.want) {
				t.Errorf("%s: %d calls, want %d", c.name, n, len(c.want))
			}
			if err != nil {
				return nil, err
			}
			return tx.ToReplay(ctx, ours, c.scope, "", 10)
		})
		slices.Sort(c.want)
		same(t, c.name, ids, c.want)
		rest := get(t, b, func(ctx context.Context, tx *store.Tx) ([]string, error) {
			return tx.ToReplay(ctx, ours, c.scope, ids[0], 10)
		})
		same(t, c.name+", the rest", len(rest), len(ids)-1)
	}
	r := review.Replay{
		ID: store.NewID("rev"), WorkspaceID: ours, State: review.ReplayRunning, Total: 2, CreatedAt: start, UpdatedAt: start,
		Scope: review.Scope{Since: start, AgentID: "agt_1", OnlyOlder: true},
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertReplay(ctx, r) })
	r.State, r.LastCall, r.Reviewed, r.Skipped, r.Failed, r.UpdatedAt, r.FinishedAt = review.ReplayFinished, late.ID, 1, 2, 3, start.Add(1), start.Add(time.Second)
	r.UpdatedAt = start.Add(time.Minute)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SaveReplay(ctx, r) })
	same(t, "replay", get(t, b, func(ctx context.Context, tx *store.Tx) (review.Replay, error) { return tx.ReplayByID(ctx, ours, r.ID) }), r)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { _, err := tx.LockReplay(ctx, ours, r.ID); return err })
	same(t, "replays", get(t, b, func(ctx context.Context, tx *store.Tx) ([]review.Replay, error) { return tx.Replays(ctx, ours, 5, "") }), []review.Replay{r})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.ReplayByID(ctx, theirs, r.ID)
		return err
	})
}

// productionPlan holds the scorers of the agent's defaults, as they are now.
func productionPlan(t *testing.T, b *bench) {
	c := aCall("")
	c.Origin, c.AgentID = call.Production, "agt_9"
	b.insert(t, c)
	scorer := func(version int) score.Config {
		return score.Config{ID: store.NewID("sc"), WorkspaceID: ours, Slug: "greets", Name: "Greets", Kind: "say", Version: version, CreatedAt: start}
	}
	plan := func() []score.Config {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (score.Plan, error) { return tx.PlanOf(ctx, c.ID) }).Scorers
	}
	if got := plan(); len(got) != 0 {
		t.Errorf("without an agent: %+v", got)
	}
	first, second := scorer(1), scorer(2)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(tx.InsertScorer(ctx, first), tx.InsertAgent(ctx, scenario.Agent{
			ID: "agt_9", WorkspaceID: ours, Name: "desk", CreatedAt: start, UpdatedAt: start,
			Defaults: scenario.TestDefaults{Scorers: []string{"greets", "gone@label"}},
		}))
	})
	same(t, "plan", plan(), []score.Config{first})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertScorer(ctx, second) })
	same(t, "later plan", plan(), []score.Config{second})
}

func testCallByID(t *testing.T, b *bench) {
	c, production, foreign := aCall("ve_1"), aCall(""), aCall("ve_1")
	production.Origin, foreign.WorkspaceID = call.Production, theirs
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertCalls(ctx, []call.Call{c, production, foreign}, nil)
	})
	for id, want := range map[string]bool{c.ID: true, production.ID: false, foreign.ID: false, "call_none": false} {
		m := calllog.Match{CallID: id, From: c.From, To: c.To, StartedAt: start}
		if got, ok := b.match(t, m); ok != want || (ok && got != id) {
			t.Errorf("%s: %s, %v", id, got, ok)
		}
	}
	plan := get(t, b, func(ctx context.Context, tx *store.Tx) (score.Plan, error) { return tx.PlanOf(ctx, production.ID) })
	same(t, "plan of a production call", plan, score.Plan{Item: scenario.Item{}})
}

func (b *bench) match(t *testing.T, m calllog.Match) (id string, ok bool) {
	t.Helper()
	return get(t, b, func(ctx context.Context, tx *store.Tx) (string, error) {
		c, found, err := tx.TestCall(ctx, ours, m)
		if ok = found; err == nil && ok {
			known, err := tx.Known(ctx, []calllog.Arriving{{Key: calllog.Key{WorkspaceID: ours}, Match: m}})
			if err != nil || !known.MayBeTest[0] {
				t.Errorf("what TestCall finds can be none: %v", err)
			}
		}
		return c.ID, err
	}), ok
}

func testCallByNumbers(t *testing.T, b *bench) {
	early, late, waiting := aCall("ve_1"), aCall("ve_1"), aCall("ve_1")
	early.StartedAt, early.AnsweredAt = start, start.Add(30*time.Second)
	late.StartedAt = start.Add(5 * time.Minute)
	b.insert(t, early, late, waiting)
	for _, c := range []struct {
		name     string
		from, to string
		at       time.Duration
		want     string
	}{
		{"to the second", "+15550100", "+15550100", 0, early.ID},
		{"without plus", "15550100", "1 555 0100", time.Second, early.ID},
		{"as SIP addresses", "sip:+15550100@10.0.0.1", "sip:15550100@host9", 31 * time.Second, early.ID},
		{"near the answer", "+15550100", "+15550100", 145 * time.Second, early.ID},
		{"the nearer one", "+15550100", "+15550100", 4 * time.Minute, late.ID},
		{"too early", "+15550100", "+15550100", -121 * time.Second, ""},
		{"another caller", "+15550199", "+15550100", 0, ""},
		{"another number", "+15550100", "+15550199", 0, ""},
		{"no number", "", "+15550100", 0, ""},
	} {
		got, ok := b.match(t, calllog.Match{From: c.from, To: c.to, StartedAt: start.Add(c.at)})
		if ok != (c.want != "") || (ok && got != c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
	crowd := make([]call.Call, 200) // as many as a large test dials in two minutes, later than the right one
	for i := range crowd {
		crowd[i] = aCall("ve_1")
		crowd[i].StartedAt = start.Add(110 * time.Second)
	}
	crowd[0].StartedAt = start.Add(10 * time.Second)
	b.insert(t, crowd...)
	if got, ok := b.match(t, calllog.Match{From: early.From, To: early.To, StartedAt: start}); !ok || got != early.ID {
		t.Errorf("among many: %q, %v; want %q", got, ok, early.ID)
	}
	rival := aCall("ve_1")
	rival.StartedAt = start.Add(time.Second)
	b.insert(t, rival)
	if got, ok := b.match(t, calllog.Match{From: rival.From, To: rival.To, StartedAt: start.Add(-time.Minute)}); ok {
		t.Errorf("of two calls that fit alike, %s was taken", got)
	}
}
