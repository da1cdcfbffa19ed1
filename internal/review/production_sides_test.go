package review

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

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
