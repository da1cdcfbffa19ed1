package review

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// KeepSound keeps a fetched recording.
func (s *shelf) KeepSound(_ context.Context, key string, rate int, caller, agent []int16) (call.Recording, error) {
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, caller, agent); err != nil {
		return call.Recording{}, err
	}
	sum := sha256.Sum256(w.Bytes())
	s.blobs[key] = w.Bytes()
	return call.Recording{
		Key: key, Type: "audio/wav", Rate: rate, Samples: int64(len(caller)), Bytes: int64(w.Len()),
		CallerCoverage: 1, AgentCoverage: 1, SHA256: hex.EncodeToString(sum[:]),
	}, nil
}

func (s *shelf) Delete(_ context.Context, key string) error {
	delete(s.blobs, key)
	return nil
}

// web is where the recordings of platforms lie.
type web struct {
	body  []byte
	err   error
	asked int
}

func (w *web) Fetch(context.Context, string, string) (io.ReadCloser, error) {
	w.asked++
	if w.err != nil {
		return nil, w.err
	}
	return io.NopCloser(bytes.NewReader(w.body)), nil
}

// The course of the production call: who speaks from when to when, in ms.
func agentSpeaks() []stretch  { return []stretch{{500, 2000}, {5200, 7000}, {12000, 14000}} }
func callerSpeaks() []stretch { return []stretch{{3000, 4500}, {8500, 11000}} }

// production is a service with one production call of 15 s, answered and over, that is told of with times.
type production struct {
	*bundle
	web *web
}

func produce(t *testing.T) *production {
	t.Helper()
	p := &production{bundle: setup(t), web: &web{}}
	c := p.store.rows.Calls[id]
	c.Origin, c.Line, c.Recording, c.EndedAt = call.Production, "", nil, answered.Add(15*time.Second)
	p.store.rows.Calls = map[string]call.Call{id: c}
	p.store.rows.Attempts, p.store.rows.Plans = map[string]call.Attempt{}, map[string]score.Plan{}
	p.now = answered.Add(time.Minute)
	p.web.body = stereo(t, callerSpeaks(), agentSpeaks(), 0)
	p.tell(func(*call.Reported) {})
	p.service.o.Outside, p.service.o.Shelf = p.web, p.shelf
	p.service.o.Feel = func(talk Talk) call.Feeling {
		f := call.Feeling{UpsetTurn: -1, Sentiment: call.Neutral, Engines: map[string]string{"voice": "none"}}
		if len(talk.Caller.PCM) > 0 {
			f.Engines["voice"] = "heard"
		}
		for _, turn := range talk.Turns {
			if turn.Speaker == call.Caller && turn.Text != "" {
				f.Turns = append(f.Turns, call.TurnFeeling{Turn: turn.Index})
			}
		}
		return f
	}
	return p
}

// stereo is a recording with the first side left; the sound begins later by lag ms.
func stereo(t *testing.T, left, right []stretch, lag int) []byte {
	t.Helper()
	a, b := make([]int16, (15_000+lag)*8), make([]int16, (15_000+lag)*8)
	lay(a, later(left, lag), 300)
	lay(b, later(right, lag), 700)
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, a, b); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func later(s []stretch, lag int) []stretch {
	out := slices.Clone(s)
	for i := range out {
		out[i].from, out[i].to = out[i].from+lag, out[i].to+lag
	}
	return out
}

func mono(t *testing.T) []byte {
	t.Helper()
	pcm := make([]int16, 15_000*8)
	lay(pcm, callerSpeaks(), 300)
	lay(pcm, agentSpeaks(), 700)
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, pcm); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func turn(who call.Speaker, s stretch, text string) call.Turn {
	return call.Turn{Speaker: who, Start: time.Duration(s.from) * ms, End: time.Duration(s.to) * ms, Text: text}
}

// tell sets what the platform tells.
func (p *production) tell(change func(*call.Reported)) {
	a, c := agentSpeaks(), callerSpeaks()
	r := call.Reported{
		Provider: "custom", HasTranscript: true, Timed: true, CallerChannel: -1, RecordingURL: "https://example.org/1.wav",
		Turns: []call.Turn{
			turn(call.Agent, a[0], "Willow clinic, how can I help?"),
			turn(call.Caller, c[0], "What does a visit cost?"),
			turn(call.Agent, a[1], "That is forty five dollars."),
			turn(call.Caller, c[1], "I see, and do you have a free slot on Monday?"),
			turn(call.Agent, a[2], "We have one at ten o'clock."),
		},
	}
	for i := range r.Turns {
		r.Turns[i].Index = i
	}
	change(&r)
	p.store.rows.Told[id] = r
}

// work runs the jobs until there are none, and returns what was stored.
func (p *production) work(t *testing.T) (call.Call, call.Review) {
	t.Helper()
	p.store.rows.Jobs = append(p.store.rows.Jobs, JobReview+" "+id)
	for range 20 {
		if len(p.store.rows.Jobs) == 0 {
			return p.store.rows.Calls[id], p.store.rows.Reviews[id]
		}
		job := p.store.rows.Jobs[0]
		p.store.rows.Jobs = p.store.rows.Jobs[1:]
		run := p.service.Review
		if strings.HasPrefix(job, JobFetch) {
			run = p.service.Fetch
		}
		err := run(t.Context(), id)
		var wait Wait
		if errors.As(err, &wait) {
			p.now = p.now.Add(wait.After)
			p.store.rows.Jobs = append(p.store.rows.Jobs, job)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", job, err)
		}
	}
	t.Fatal("the jobs do not end")
	return call.Call{}, call.Review{}
}

// planted checks the figures of the planted call.
func planted(t *testing.T, r call.Review) {
	t.Helper()
	m := r.Metric("turn_latency")
	if m == nil || m.Spread == nil || m.Spread.N != 2 || math.Abs(m.Spread.Min-0.7) > 0.03 || math.Abs(m.Spread.Max-1) > 0.03 {
		t.Errorf("the latencies are %+v, planted at 0.7 and 1 s", m)
	}
	var texts []string
	for i, turn := range r.Heard.Turns {
		texts = append(texts, string(turn.Speaker)+": "+turn.Text)
		if turn.Index != i {
			t.Errorf("turn %d has the index %d", i, turn.Index)
		}
	}
	want := []string{
		"agent: Willow clinic, how can I help?", "caller: What does a visit cost?", "agent: That is forty five dollars.",
		"caller: I see, and do you have a free slot on Monday?", "agent: We have one at ten o'clock.",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("the turns are %q", texts)
	}
}

func TestProductionCallIsFetchedHeardAndJudged(t *testing.T) {
	t.Parallel()
	p := produce(t)
	c, r := p.work(t)
	planted(t, r)
	if c.ScoringStatus != call.Scored || c.Verdict != call.Passed || c.Recording == nil || c.Recording.Roles != call.RolesTranscript {
		t.Errorf("the call is %+v", c)
	}
	if len(r.Notes) != 0 || r.Heard.Engines["stt"] != platformTranscript || len(p.scribe.asked) != 0 {
		t.Errorf("notes %q, engines %v, transcribed %d times", r.Notes, r.Heard.Engines, len(p.scribe.asked))
	}
	if r.Feeling == nil || len(r.Feeling.Turns) != 2 || r.Feeling.Engines["voice"] != "heard" {
		t.Errorf("the feeling is %+v", r.Feeling)
	}
	// Once had, it is not fetched again, and a replay comes to the same.
	_, again := p.work(t)
	x, _ := json.Marshal(r)
	again.At = r.At
	y, _ := json.Marshal(again)
	if p.web.asked != 1 || string(x) != string(y) {
		t.Errorf("fetched %d times;\n%s\n%s", p.web.asked, x, y)
	}
}

// Whatever the platform tells, the caller ends up left and the figures are those that were planted.
func TestChannelRoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		swapped bool
		tell    func(*call.Reported)
		roles   call.Roles
		notes   int
	}{
		{"told", false, func(r *call.Reported) { r.Channels, r.CallerChannel = 2, 0 }, call.RolesTold, 0},
		{"told, right", true, func(r *call.Reported) { r.Channels, r.CallerChannel = 2, 1 }, call.RolesTold, 0},
		{"timed", true, func(*call.Reported) {}, call.RolesTranscript, 0},
		{"starts alone", true, func(r *call.Reported) {
			for i := range r.Turns {
				r.Turns[i].End = r.Turns[i].Start
			}
		}, call.RolesTranscript, 0},
		{"order alone", true, untimed, call.RolesTranscript, 0},
		{"order alone, straight", false, untimed, call.RolesTranscript, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			if c.swapped {
				p.web.body = stereo(t, agentSpeaks(), callerSpeaks(), 0)
			}
			p.tell(c.tell)
			got, r := p.work(t)
			planted(t, r)
			if got.Recording.Roles != c.roles || len(r.Notes) != c.notes {
				t.Errorf("roles %s sure to %.2f, notes %q", got.Recording.Roles, got.Recording.Sure, r.Notes)
			}
		})
	}
}

func untimed(r *call.Reported) {
	r.Timed = false
	for i := range r.Turns {
		r.Turns[i].Start, r.Turns[i].End = -1, -1
	}
}

// Without words the first to speak on a call that came in is the agent; else left is the caller.
func TestChannelRolesWithoutTranscript(t *testing.T) {
	t.Parallel()
	for direction, want := range map[string]call.Roles{"inbound": call.RolesGreeting, "outbound": call.RolesAssumed} {
		p := produce(t)
		p.web.body = stereo(t, agentSpeaks(), callerSpeaks(), 0)
		p.tell(func(r *call.Reported) { r.HasTranscript, r.Timed, r.Turns, r.Direction = false, false, nil, direction })
		c, r := p.work(t)
		if c.Recording.Roles != want || len(r.Notes) != 1 || len(p.scribe.asked) != 2 {
			t.Fatalf("%s: %+v, notes %q, transcribed %d times", direction, c.Recording, r.Notes, len(p.scribe.asked))
		}
		if m := r.Metric("turn_latency"); (want == call.RolesGreeting) != (m.Spread != nil && math.Abs(m.Spread.Min-0.7) < 0.03) {
			t.Errorf("%s: %+v", direction, m)
		}
		// The transcript comes later and tells the truth.
		p.tell(func(*call.Reported) {})
		c, r = p.work(t)
		planted(t, r)
		if c.Recording.Roles != call.RolesTranscript || len(r.Notes) != 0 || len(p.shelf.blobs) != 2 {
			t.Errorf("%s, later: %+v, notes %q, %d blobs", direction, c.Recording, r.Notes, len(p.shelf.blobs))
		}
		_, r = p.work(t)
		planted(t, r)
	}
}

// A recording that begins before or after the transcript's clock is set right.
func TestOffset(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.body = stereo(t, callerSpeaks(), agentSpeaks(), 4000)
	_, r := p.work(t)
	planted(t, r)
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "4.0 s") {
		t.Errorf("the notes are %q", r.Notes)
	}
}

func TestMixedRecording(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.body = mono(t)
	c, r := p.work(t)
	if !c.Recording.Mixed || len(r.Notes) != 1 || r.Feeling.Engines["voice"] != "none" {
		t.Errorf("%+v, notes %q, feeling %+v", c.Recording, r.Notes, r.Feeling)
	}
	planted(t, r) // by the platform's own times
	if m := r.Metric("dead_air_count"); m.Value == nil {
		t.Errorf("the dead air is %+v", m)
	}
	for _, name := range []string{"turn_taking", "overlap_seconds", "level", "snr", "packets_sent", "mos"} {
		if m := r.Metric(name); m.Value != nil || m.Reason == "" {
			t.Errorf("%s is %+v", name, m)
		}
	}
	// Two channels of one mix are a mix; a better recording that is told of later is fetched.
	p.web.body = stereo(t, callerSpeaks(), agentSpeaks(), 0)
	p.tell(func(r *call.Reported) { r.RecordingURL, r.Channels = "https://example.org/2.wav", 2 })
	c, r = p.work(t)
	planted(t, r)
	if c.Recording.Mixed || len(r.Notes) != 0 || len(p.shelf.blobs) != 2 {
		t.Errorf("%+v, notes %q", c.Recording, r.Notes)
	}
}

func TestMixesThatAreStereo(t *testing.T) {
	t.Parallel()
	both := agentSpeaks()
	pcm := make([]int16, 15_000*8)
	lay(pcm, both, 700)
	if !takenOf(audio.Sound{Channels: [][]int16{pcm, slices.Clone(pcm)}, Rate: rate}).mixed {
		t.Error("two equal channels are taken for two sides")
	}
	if takenOf(audio.Sound{Channels: [][]int16{pcm, make([]int16, len(pcm))}, Rate: rate}).mixed {
		t.Error("a silent side is taken for a mix")
	}
}

func TestRecordingThatCannotBeHad(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(p *production)
		note   string
		asked  int
	}{
		"gone":       {func(p *production) { p.web.err = NeverHad{Reason: "its server says that there is none (404)"} }, "(404)", 1},
		"junk":       {func(p *production) { p.web.body = []byte(strings.Repeat("junk ", 1000)) }, "no recording that can be read", 1},
		"empty":      {func(p *production) { p.web.body = nil }, "no recording that can be read", 1},
		"never told": {func(p *production) { p.tell(func(r *call.Reported) { r.RecordingURL = "" }) }, "told of no recording", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			c.change(p)
			got, r := p.work(t)
			if got.ScoringStatus != call.Scored || got.Verdict != call.Passed || got.Recording != nil || p.web.asked != c.asked {
				t.Errorf("%+v, asked %d times", got, p.web.asked)
			}
			if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], c.note) {
				t.Errorf("the notes are %q", r.Notes)
			}
			planted(t, r) // by the platform's own times
			if m := r.Metric("turn_taking"); m.Value != nil || m.Reason == "" {
				t.Errorf("turn_taking is %+v", m)
			}
			p.work(t)
			if p.web.asked != c.asked {
				t.Errorf("asked again: %d", p.web.asked)
			}
		})
	}
}

// What may go away by itself is tried for an hour. The review waits for the first
// tries alone, and is done again when the recording comes.
func TestRecordingThatComesLater(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.err = errors.New("connection refused by 10.0.0.1")
	if err := p.service.Review(t.Context(), id); err != nil || len(p.settled) != 0 {
		t.Fatalf("the review did not wait: %v", err)
	}
	begun := p.now
	var wait Wait
	for p.now.Sub(begun) < 2*time.Hour {
		if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) {
			break
		}
		p.now = p.now.Add(wait.After)
	}
	if gone := p.now.Sub(begun); gone < fetchFor || gone > fetchFor+11*time.Minute || p.web.asked > 30 {
		t.Errorf("tried for %s, %d times", gone, p.web.asked)
	}
	if jobs := p.store.rows.Jobs; len(jobs) != 3 || jobs[1] != "review "+id || jobs[2] != "review "+id {
		t.Errorf("the jobs are %q", jobs)
	}
	p.store.rows.Jobs = nil
	if _, r := p.work(t); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "could not be had") || strings.Contains(r.Notes[0], "10.0.0.1") {
		t.Errorf("the notes are %q", r.Notes)
	}
	// A review that a person asks for tries once more.
	p.web.err = nil
	if err := p.service.Again(t.Context(), "ws_1", id); err != nil {
		t.Fatal(err)
	}
	_, r := p.work(t)
	planted(t, r)
	if len(r.Notes) != 0 {
		t.Errorf("the notes are %q", r.Notes)
	}
}

func TestReviewGoesOnWhileTheRecordingIsTriedFor(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.err = errors.New("busy")
	if err := p.service.Review(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for range patientTries {
		_ = p.service.Fetch(t.Context(), id)
	}
	p.store.rows.Jobs = nil
	c, r := p.work(t)
	if c.ScoringStatus != call.Scored || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "tried again") {
		t.Errorf("%s, notes %q", c.ScoringStatus, r.Notes)
	}
	p.web.err = nil
	if err := p.service.Fetch(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, r = p.work(t); len(r.Notes) != 0 || len(p.settled) != 3 {
		t.Errorf("settled %d times, notes %q", len(p.settled), r.Notes)
	}
}

// An opt-out that comes while the recording is fetched is obeyed.
func TestOptOutDuringTheFetch(t *testing.T) {
	t.Parallel()
	p := produce(t)
	if err := p.service.Review(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	p.service.o.Outside = optingOut{p}
	if err := p.service.Fetch(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := p.store.rows.Calls[id]; c.Recording != nil || len(p.shelf.blobs) != 1 {
		t.Errorf("%+v, %d blobs", c.Recording, len(p.shelf.blobs))
	}
}

// So is one that comes while the words are judged.
func TestOptOutDuringTheReview(t *testing.T) {
	t.Parallel()
	p := produce(t)
	feel := p.service.o.Feel
	p.service.o.Feel = func(talk Talk) call.Feeling {
		p.tell(func(r *call.Reported) { *r = call.Reported{} })
		return feel(talk)
	}
	p.tell(func(r *call.Reported) { r.RecordingURL = "" })
	var wait Wait
	if err := p.service.Review(t.Context(), id); !errors.As(err, &wait) || len(p.store.rows.Reviews) != 0 {
		t.Fatalf("the words were kept: %v", err)
	}
	if _, r := p.work(t); len(r.Heard.Turns) != 0 {
		t.Errorf("the turns are %+v", r.Heard.Turns)
	}
}

type optingOut struct{ p *production }

func (o optingOut) Fetch(ctx context.Context, ws, address string) (io.ReadCloser, error) {
	o.p.tell(func(r *call.Reported) { *r = call.Reported{} })
	return o.p.web.Fetch(ctx, ws, address)
}

// The recogniser for synthetic voices writes words down, but nothing is judged by them.
func TestSelfTestWordsAreNotJudged(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.service.o.Transcriber = selfTest{p.scribe}
	p.tell(func(r *call.Reported) {
		r.HasTranscript, r.Timed, r.Turns, r.CallerChannel, r.Channels = false, false, nil, 0, 2
	})
	p.store.rows.Plans[id] = score.Plan{Scorers: []score.Config{{Slug: "greets", Name: "greets", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"welcome"}`)}}}
	c, r := p.work(t)
	if s := named(r, "greets"); s.Verdict != call.NotEvaluated || c.Verdict != call.NotEvaluated {
		t.Errorf("%s, %+v", c.Verdict, s)
	}
	if !r.Heard.SelfTestGrade || len(r.Notes) != 1 || r.Heard.Turns[0].Text == "" || len(r.Feeling.Turns) != 0 {
		t.Errorf("notes %q, turns %+v", r.Notes, r.Heard.Turns)
	}
	p.work(t)
	if len(p.scribe.asked) != 2 {
		t.Errorf("transcribed %d times", len(p.scribe.asked))
	}
}

type selfTest struct{ *scribe }

func (selfTest) Engine() (string, bool) { return "sphinx", true }

// Scorers of the agent are asked, by the words of the platform.
func TestScorersOfProductionCalls(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.store.rows.Plans[id] = score.Plan{Scorers: []score.Config{
		{Slug: "price", Name: "price", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"forty five dollars"}`)},
		{Slug: "sorry", Name: "sorry", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"I am sorry"}`)},
	}}
	c, r := p.work(t)
	if c.Verdict != call.NotPassed || named(r, "price").Verdict != call.Passed || named(r, "sorry").Verdict != call.NotPassed {
		t.Errorf("%s: %+v", c.Verdict, r.Scores)
	}
	if e := named(r, "price").Evidence; len(e) != 1 || e[0].Turn != 2 || e[0].Start < 5*time.Second {
		t.Errorf("the evidence is %+v", e)
	}
}

// A call that nobody took has nothing to be heard.
func TestUnansweredProductionCall(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) {
		c.Status, c.AnsweredAt, c.EndReason = call.Failed, time.Time{}, call.EndOf(call.EndBusy, "dial_busy")
	})
	c, r := p.work(t)
	if c.Verdict != call.NotPassed || len(r.Notes) != 0 || p.web.asked != 0 || r.Metrics != nil {
		t.Errorf("%s, notes %q", c.Verdict, r.Notes)
	}
}

// Words with times that span two turns are shared out.
func TestWordsAreSharedOut(t *testing.T) {
	t.Parallel()
	word := func(text string, at int) call.Word {
		return call.Word{Text: text, Start: time.Duration(at) * ms, End: time.Duration(at+300) * ms}
	}
	told := call.Reported{Timed: true, HasTranscript: true, Turns: []call.Turn{
		{Speaker: call.Agent, Start: 1000 * ms, End: 6000 * ms, Text: "One moment, please. Here we are.", Words: []call.Word{
			word("One", 1000), word("moment,", 1400), word("please.", 1800), word("Here", 5000), word("we", 5300), word("are.", 5600),
		}},
		{Speaker: call.Caller, Start: 3000 * ms, End: 3500 * ms, Text: "Sure."},
		{Speaker: call.Caller, Start: 90_000 * ms, End: 90_500 * ms, Text: "Never recorded."},
	}}
	heard := []call.Turn{
		{Speaker: call.Agent, Start: 1000 * ms, End: 2100 * ms}, {Speaker: call.Caller, Start: 3000 * ms, End: 3500 * ms},
		{Speaker: call.Agent, Start: 5000 * ms, End: 6000 * ms},
	}
	var texts []string
	for _, turn := range layTurns(&told, heard, 0) {
		texts = append(texts, turn.Text)
	}
	if !slices.Equal(texts, []string{"One moment, please.", "Sure.", "Here we are.", "Never recorded."}) {
		t.Errorf("the turns are %q", texts)
	}
}
