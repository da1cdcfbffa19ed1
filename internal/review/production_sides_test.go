package review

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// Whatever the platform reports, the caller ends up left, and the metrics are those planted.
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

// Without words, the first to speak in an inbound call is the agent; otherwise the left channel is
// the caller's.
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
		// The transcript arrives later and decides.
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

// An offset between recording and transcript is corrected.
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

// If the platform's list of times is cut short, the existing times still count, and other turns are
// placed by their order.
func TestTimesThatAreCutShort(t *testing.T) {
	t.Parallel()
	for last := range 2 {
		p := produce(t)
		p.web.body = stereo(t, agentSpeaks(), callerSpeaks(), 4000) // sides swapped, and late
		p.tell(func(r *call.Reported) {
			r.Timed = false
			at := []int{4, 2}[last]
			r.Turns[at].Start, r.Turns[at].End = -1, -1
		})
		got, r := p.work(t)
		planted(t, r)
		if got.Recording.Roles != call.RolesTranscript || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "4.0 s") {
			t.Errorf("roles %s, notes %q", got.Recording.Roles, r.Notes)
		}
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
	planted(t, r) // from the platform's own times
	if m := r.Metric("dead_air_count"); m.Value == nil {
		t.Errorf("the dead air is %+v", m)
	}
	for _, name := range []string{"turn_taking", "overlap_seconds", "level", "snr", "packets_sent", "mos"} {
		if m := r.Metric(name); m.Value != nil || m.Reason == "" {
			t.Errorf("%s is %+v", name, m)
		}
	}
	// Two channels with one mix count as a mix; a better recording reported later is fetched.
	p.web.body = stereo(t, callerSpeaks(), agentSpeaks(), 0)
	p.tell(func(r *call.Reported) { r.RecordingURL, r.Channels = "https://example.org/2.wav", 2 })
	c, r = p.work(t)
	planted(t, r)
	if c.Recording.Mixed || len(r.Notes) != 0 || len(p.shelf.blobs) != 2 {
		t.Errorf("%+v, notes %q", c.Recording, r.Notes)
	}
}

// A scrubbed recording replaces the plain one fetched before, even if that has more channels, and
// is not replaced by one.
func TestAScrubbedRecordingThatComesLater(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.body = stereo(t, callerSpeaks(), agentSpeaks(), 0)
	if c, _ := p.work(t); c.Recording.Mixed || c.Recording.Scrubbed {
		t.Fatalf("%+v", c.Recording)
	}
	p.web.body = mono(t)
	p.tell(func(r *call.Reported) {
		r.RecordingURL, r.Channels, r.ScrubbedRecording = "https://example.org/scrubbed.wav", 1, true
	})
	if c, _ := p.work(t); !c.Recording.Mixed || !c.Recording.Scrubbed {
		t.Errorf("%+v", c.Recording)
	}
}

// A recording with one side, or with both on one of two channels, proves nobody's silence: nobody
// may be blamed for what is not on it.
func TestRecordingsThatHoldOneChannel(t *testing.T) {
	t.Parallel()
	both := slices.Concat(agentSpeaks(), callerSpeaks())
	noWords := func(r *call.Reported) { r.HasTranscript, r.Timed, r.Turns = false, false, nil }
	agentAlone := func(r *call.Reported) {
		r.Turns = slices.DeleteFunc(r.Turns, func(t call.Turn) bool { return t.Speaker == call.Caller })
	}
	for name, c := range map[string]struct {
		left, right []stretch
		tell        func(*call.Reported)
		mixed       bool
		quiet       bool // dead air is measured
		note        string
	}{
		"both on the left":           {both, nil, func(*call.Reported) {}, true, true, "share one channel"},
		"both on the right":          {nil, both, func(r *call.Reported) { r.Channels, r.CallerChannel = 2, 0 }, true, true, "share one channel"},
		"both on the left, no times": {both, nil, untimed, true, true, "share one channel"},
		"the agent on the left":      {agentSpeaks(), nil, func(*call.Reported) {}, true, false, "only one side"},
		"the caller on the right":    {nil, callerSpeaks(), func(*call.Reported) {}, true, false, "only one side"},
		"one side, no words":         {agentSpeaks(), nil, noWords, true, true, "share one channel"},
		"told, no words":             {nil, agentSpeaks(), func(r *call.Reported) { noWords(r); r.Channels, r.CallerChannel = 2, 0 }, false, true, "The caller is not heard"},
		"a caller who is silent":     {agentSpeaks(), nil, agentAlone, false, true, "The caller is not heard"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			p.web.body = stereo(t, c.left, c.right, 0)
			p.tell(c.tell)
			got, r := p.work(t)
			if got.Recording.Mixed != c.mixed || c.mixed && got.Recording.Roles != "" || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, c.note) }) {
				t.Errorf("%+v, notes %q", got.Recording, r.Notes)
			}
			if m := r.Metric("dead_air_total"); (m.Value != nil) != c.quiet || m.Value == nil && m.Reason == "" {
				t.Errorf("the dead air is %+v", m)
			}
			if m := r.Metric("overlap_seconds"); c.mixed && m.Value != nil {
				t.Errorf("the overlap is %+v", m)
			}
		})
	}
	p := produce(t) // and one channel that holds only the caller
	pcm := make([]int16, 15_000*8)
	lay(pcm, callerSpeaks(), 300)
	var w bytes.Buffer
	if err := audio.WriteWAV(&w, rate, pcm); err != nil {
		t.Fatal(err)
	}
	p.web.body = w.Bytes()
	if c, r := p.work(t); !c.Recording.Mixed || r.Metric("dead_air_total").Value != nil || len(r.Notes) != 1 {
		t.Errorf("%+v, notes %q", c.Recording, r.Notes)
	}
}

// Two channels are one mix even if they differ in volume, polarity, DC offset or coding; they are
// two sides even if each is clearly heard on the other's channel.
func TestMixesThatAreStereo(t *testing.T) {
	t.Parallel()
	agent, caller := make([]int16, 15_000*8), make([]int16, 15_000*8)
	lay(agent, agentSpeaks(), 700)
	lay(caller, callerSpeaks(), 300)
	random := rand.New(rand.NewPCG(3, 3))
	of := func(each func(agent, caller float64) float64) []int16 {
		out := make([]int16, len(agent))
		for i := range out {
			out[i] = int16(each(float64(agent[i]), float64(caller[i])))
		}
		return out
	}
	mix := of(func(a, c float64) float64 { return a/2 + c/2 })
	for name, x := range map[string]struct {
		left, right []int16
		mixed       bool
	}{
		"the same":               {mix, slices.Clone(mix), true},
		"fainter":                {mix, of(func(a, c float64) float64 { return (a + c) / 6 }), true},
		"louder":                 {mix, of(func(a, c float64) float64 { return a + c }), true},
		"turned over":            {mix, of(func(a, c float64) float64 { return (a + c) / -2 }), true},
		"shifted":                {mix, of(func(a, c float64) float64 { return (a+c)/2 + 3000 }), true},
		"coded by itself":        {mix, of(func(a, c float64) float64 { return (a + c) * (0.5 + 0.4*(random.Float64()-0.5)) }), true},
		"both silent":            {make([]int16, len(mix)), make([]int16, len(mix)), true},
		"two sides":              {caller, agent, false},
		"two sides with an echo": {of(func(a, c float64) float64 { return c + a/10 }), agent, false},
		"two sides with much":    {of(func(a, c float64) float64 { return (c + a/2) / 2 }), of(func(a, c float64) float64 { return (a + c/2) / 2 }), false},
		"one silent":             {agent, make([]int16, len(agent)), false},
		"one with an echo alone": {of(func(a, _ float64) float64 { return a / 20 }), agent, false},
	} {
		if got := takenOf(audio.Sound{Channels: [][]int16{x.left, x.right}, Rate: rate}).mixed; got != x.mixed {
			t.Errorf("%s: taken for a mix: %v", name, got)
		}
	}
}

// If only the first turns of a long call have times, they are too few to place the rest; the order
// of all turns says more.
func TestTimesOfTheFirstTurnsOfALongCall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	told := call.Reported{HasTranscript: true}
	var sides [2][]call.Segment
	at := 5 * time.Second // the recording begins before the transcript
	for i := range 250 {
		words := 1 + random.IntN(20)
		turn := call.Turn{Speaker: []call.Speaker{call.Agent, call.Caller}[i%2], Start: -1, End: -1, Text: strings.TrimSpace(strings.Repeat("word ", words))}
		long := time.Duration(words) * wordTime
		if i < 4 {
			turn.Start, turn.End = at-5*time.Second, at+long-5*time.Second
		}
		told.Turns = append(told.Turns, turn)
		sides[i%2] = append(sides[i%2], call.Segment{Start: at, End: at + long})
		at += long + time.Duration(200+random.IntN(800))*time.Millisecond
	}
	agent, caller := sides[0], sides[1]
	if got := fitOf(&told, agent, caller); !got.swapped || got.sure < leastSure {
		t.Errorf("the agent on the left: %+v", got)
	}
	if got := fitOf(&told, caller, agent); got.swapped || got.sure < leastSure {
		t.Errorf("the agent on the right: %+v", got)
	}
	heard := timing.Turns(caller, agent, nil)
	offset := time.Duration(0)
	if hasTimes(&told) {
		offset = offsetOf(told.Turns, caller, agent)
	}
	for i, laid := range layTurns(&told, heard, offset) {
		if i >= len(told.Turns) || laid.Text != told.Turns[i].Text || laid.Speaker != told.Turns[i].Speaker {
			t.Fatalf("turn %d is %+v", i, laid)
		}
	}
}

// The times of tool calls are of the same clock as those of the transcript: what corrects these
// corrects those, and where these are of no use, so are those.
func TestToolCallsGoByTheClockOfTheTranscript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		lag  int
		told time.Duration // the unit of the transcript's times
		at   time.Duration
	}{
		{"the same clock", 0, ms, 5 * time.Second},
		{"a recording that begins before the transcript", 4000, ms, 9 * time.Second},
		{"times that fit nowhere", 0, 60 * ms, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			p.web.body = stereo(t, callerSpeaks(), agentSpeaks(), c.lag)
			p.tell(func(r *call.Reported) {
				for i := range r.Turns {
					r.Turns[i].Start, r.Turns[i].End = r.Turns[i].Start/ms*c.told, r.Turns[i].End/ms*c.told
				}
			})
			if c.told != ms {
				p.change(func(call *call.Call, _ *call.Attempt, _ *score.Plan) { call.EndedAt = answered.Add(20 * time.Minute) })
				p.now = answered.Add(30 * time.Minute)
			}
			p.store.rows.Tools[id] = []call.ToolCall{{Name: "find_price", At: 5 * time.Second / ms * c.told}, {Name: "note", At: -1}}
			_, r := p.work(t)
			if len(r.ToolCalls) != 2 || r.ToolCalls[0].At != c.at || r.ToolCalls[1].At != -1 {
				t.Errorf("the tool calls are %+v, notes %q", r.ToolCalls, r.Notes)
			}
			if m := r.Metric("turn_latency_tool"); (c.at >= 0) != (m != nil && m.Spread != nil && m.Spread.N == 1) {
				t.Errorf("the latency with a tool is %+v", m)
			}
			preview, err := p.service.Preview(t.Context(), "ws_1", id, config("tool_called", `{"name":"find_price"}`))
			if err != nil || len(preview.Evidence) != 1 || preview.Evidence[0].Start != c.at {
				t.Errorf("the preview is %+v %v", preview, err)
			}
		})
	}
}

// A line that only the transcript has changes no figure of the recording.
func TestWhatIsNotHeardPartsNoAnswerFromItsQuestion(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.tell(func(r *call.Reported) {
		r.Channels, r.CallerChannel = 2, 0
		r.Turns = slices.Insert(r.Turns, 2, turn(call.Agent, stretch{5200, 5300}, "Yes."), turn(call.Caller, stretch{5300, 5400}, "Hm."))
		untimed(r)
	})
	_, r := p.work(t)
	if m := r.Metric("turn_latency"); m.Spread == nil || m.Spread.N != 2 {
		t.Errorf("the latency is %+v, the turns are %+v", m, r.Heard.Turns)
	}
}
