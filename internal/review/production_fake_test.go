package review

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// KeepSound stores a fetched recording.
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

func (s *shelf) DeleteAll(_ context.Context, folder string) error {
	maps.DeleteFunc(s.blobs, func(key string, _ []byte) bool { return strings.HasPrefix(key, folder+"/") })
	return nil
}

// web serves the platforms' recordings.
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

// When each side speaks in the production call, in ms.
func agentSpeaks() []stretch  { return []stretch{{500, 2000}, {5200, 7000}, {12000, 14000}} }
func callerSpeaks() []stretch { return []stretch{{3000, 4500}, {8500, 11000}} }

// production is a service with one answered production call of 15 s that is over, reported with
// times.
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

// stereo returns a recording with the first side left, whose sound is delayed by lag ms.
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
	return wav(t, pcm)
}

// wav returns a recording with one channel.
func wav(t *testing.T, pcm []int16) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, pcm); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func turn(who call.Speaker, s stretch, text string) call.Turn {
	t := call.Turn{Speaker: who, Start: time.Duration(s.from) * ms, End: time.Duration(s.to) * ms, Text: text}
	t.Segments = []call.Segment{t.Span()}
	return t
}

// tell sets the platform's report.
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

// work runs the jobs until none are left, and returns what was stored.
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

// planted checks the metrics of the planted call.
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
