package timing

import (
	"math"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// A person to whom the call is transferred answers late, talks much and over the caller. The
// metrics only cover the exchange between agent and caller, before and after.
func TestWhoTakesTheCallOverIsNotMeasured(t *testing.T) {
	t.Parallel()
	caller := segs(4, 6, 17, 19, 24.5, 25, 29, 30, 36, 37)
	agent := segs(0.5, 3.5, 7.3, 9.5, 13, 16, 24, 26, 31, 34, 38, 39)
	in := Input{Heard: call.Heard{Caller: caller, Agent: agent, Length: sec(40)}}
	for i, s := range slices.Concat(caller, agent) {
		turn := call.Turn{Speaker: call.Caller, Start: s.Start, End: s.End, Segments: []call.Segment{s}}
		if i >= len(caller) {
			turn.Speaker, turn.Text = call.Agent, "one two three four"
		}
		if turn.Speaker == call.Agent && s.Start > sec(10) && s.Start < sec(30) {
			turn.By = "transfer_target"
		}
		in.Heard.Turns = append(in.Heard.Turns, turn)
	}
	slices.SortFunc(in.Heard.Turns, func(a, b call.Turn) int { return byStart(a.Span(), b.Span()) })
	pcm := make([]int16, 40*8000)
	for _, s := range agent {
		amplitude := 1000.0
		if s.Start > sec(10) && s.Start < sec(30) {
			amplitude = 30000
		}
		for i := sampleOf(s.Start, 8000); i < sampleOf(s.End, 8000); i++ {
			pcm[i] = int16(amplitude * math.Sin(float64(i)))
		}
	}
	in.Agent = audio.Clip{PCM: pcm, Rate: 8000}
	transcript := in
	transcript.Heard.Caller, transcript.Heard.Agent = nil, nil
	for name, in := range map[string]Input{"by ear": in, "by a transcript": transcript} {
		metrics := Measure(in)
		for metric, want := range map[string]float64{
			"turn_latency": 1.15, "talk_ratio": 9.2 / 12.2, "overlap_seconds": 0, "agent_interruptions": 0, "longest_monologue": 3,
			"dead_air_count": 1, "dead_air_longest": 3.5, "words_per_minute": 16 / 9.2 * 60, "snr": 60, "time_to_first_word": 0.5,
		} {
			if got := value(t, metrics, metric); math.Abs(got-want) > 0.001 {
				t.Errorf("%s: %s is %.3f, want %.3f", name, metric, got, want)
			}
		}
		if level := value(t, metrics, "level"); level > -30 {
			t.Errorf("%s: the agent is as loud as its colleague, %.1f dBFS", name, level)
		}
	}
}
