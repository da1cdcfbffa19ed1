package timing

import (
	"math"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

func close2(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

func lineOf(s call.LineStats) Input { return Input{Stats: s, HasStats: true} }

func TestLine(t *testing.T) {
	t.Parallel()
	in := lineOf(call.LineStats{Sent: 3000, Received: 2940, Lost: 60, Late: 3, Duplicate: 2, Bursts: 60, RemoteLost: -1,
		Jitter: 4 * time.Millisecond, JitterMax: 11 * time.Millisecond, RoundTrip: 120 * time.Millisecond, LongestGap: 260 * time.Millisecond})
	got := Measure(in)
	for name, want := range map[string]float64{"packets_sent": 3000, "packets_received": 2940, "packets_lost": 60, "packets_late": 3,
		"packets_duplicate": 2, "loss": 0.02, "jitter": 0.004, "jitter_max": 0.011, "round_trip": 0.12, "longest_gap": 0.26} {
		close2(t, name, value(t, got, name), want, 1e-9)
	}
}

// Packets that our own overloaded machine read late are not held against the
// agent.
func TestOurOwnLatenessIsNobodysFault(t *testing.T) {
	t.Parallel()
	late := call.LineStats{Received: 3000, Late: 22, Jitter: 9 * time.Millisecond, JitterMax: 40 * time.Millisecond, LongestGap: 300 * time.Millisecond, ReceiveLateMax: 25 * time.Millisecond}
	on := late
	on.ReceiveLateMax = punctual
	for _, name := range []string{"packets_late", "jitter", "jitter_max", "longest_gap", "r_factor", "mos"} {
		if v := value(t, Measure(lineOf(late)), name); !math.IsNaN(v) {
			t.Errorf("%s is %g although we were late ourselves", name, v)
		}
		if v := value(t, Measure(lineOf(on)), name); math.IsNaN(v) {
			t.Errorf("%s is not known on a punctual machine", name)
		}
	}
	none := late
	none.Late, none.LongestGap = 0, 6*time.Second
	for name, want := range map[string]float64{"packets_late": 0, "longest_gap": 6, "loss": 0, "r_factor": 93.2 - 0.48} {
		close2(t, name, value(t, Measure(lineOf(none)), name), want, 1e-9)
	}
}

func TestEModelKnownValues(t *testing.T) {
	t.Parallel()
	// Computed by hand from the formulas in docs/metrics/mos.md.
	tests := []struct {
		name   string
		in     Input
		r, mos float64
	}{
		{"perfect", lineOf(call.LineStats{Received: 1000}), 93.2 - 0.48, 4.400},
		{"2 % loss, filled with silence", lineOf(call.LineStats{Received: 980, Lost: 20, Bursts: 20}), 93.2 - 0.48 - 95*2/6.3, 3.232},
		{"2 % loss, concealed", Input{HasStats: true, Concealed: true, Stats: call.LineStats{Received: 980, Lost: 20}}, 93.2 - 0.48 - 95*2/27.1, 4.220},
		{"far away", lineOf(call.LineStats{Received: 1000, RoundTrip: 600 * time.Millisecond}), 93.2 - 0.024*320 - 0.11*142.7, 3.589},
		{"with a jitter buffer", Input{HasStats: true, JitterBuffer: 60 * time.Millisecond, Stats: call.LineStats{Received: 1000}}, 93.2 - 0.024*80, 4.369},
		{"nothing came", lineOf(call.LineStats{Lost: 1000}), 93.2 - 0.48 - 95*100/104.3, 1},
	}
	for _, tt := range tests {
		got := Measure(tt.in)
		close2(t, tt.name+": R", value(t, got, "r_factor"), tt.r, 1e-6)
		close2(t, tt.name+": MOS", value(t, got, "mos"), tt.mos, 0.001)
	}
	close2(t, "MOS below 0", opinion(-3), 1, 0)
	close2(t, "MOS above 100", opinion(105), 4.5, 0)
}

func TestBurstsAreWorse(t *testing.T) {
	t.Parallel()
	spread := value(t, Measure(lineOf(call.LineStats{Received: 950, Lost: 50, Bursts: 50})), "mos")
	runs := value(t, Measure(lineOf(call.LineStats{Received: 950, Lost: 50, Bursts: 5})), "mos")
	if !(runs < spread) {
		t.Errorf("lost in runs %g, spread %g", runs, spread)
	}
}

func TestPercentiles(t *testing.T) {
	t.Parallel()
	five := []float64{1, 2, 3, 4, 10}
	for p, want := range map[float64]float64{0: 1, 25: 2, 50: 3, 90: 7.6, 95: 8.8, 100: 10, -5: 1, 200: 10} {
		close2(t, "percentile", Percentile(five, p), want, 1e-9)
	}
	close2(t, "of one", Percentile([]float64{7}, 95), 7, 0)
	close2(t, "of none", Percentile(nil, 50), 0, 0)
	s := summarise([]float64{3, 1, 2})
	if s.Values[0] != 3 || s.Min != 1 || s.Max != 3 || s.Mean != 2 || s.N != 3 {
		t.Errorf("summary %+v", s)
	}
}

// The ringing before the agent speaks is no noise of its line.
func TestRingingIsNoNoise(t *testing.T) {
	t.Parallel()
	const rate = 8000
	in := talk(30, nil, segs(26, 29), nil)
	pcm := make([]int16, 30*rate)
	audio.NewNoise(1).White(pcm, -60)
	for from := 1; from < 24; from += 6 {
		for _, hz := range []float64{440, 480} {
			audio.Mix(pcm[from*rate+77:], audio.Tone(hz, 3000, 2*time.Second, rate))
		}
	}
	audio.Mix(pcm[26*rate:], audio.Tone(700, 32768*0.1, 3*time.Second, rate))
	in.Agent = audio.Clip{PCM: pcm, Rate: rate}
	close2(t, "snr", value(t, Measure(in), "snr"), 37, 0.5)
}

func TestSoundOfTheAgent(t *testing.T) {
	t.Parallel()
	const rate = 8000
	in := talk(10, nil, segs(1, 3, 5, 8), nil)
	pcm := make([]int16, 10*rate)
	audio.NewNoise(1).White(pcm, -60)
	for _, s := range in.Heard.Agent {
		audio.Mix(pcm[int(s.Start.Seconds()*rate):], audio.Tone(700, 32768*0.1, s.Length(), rate))
	}
	clear(pcm[6*rate : 6*rate+320])
	clear(pcm[4*rate : 4*rate+320]) // not noticeable in a pause
	in.Agent = audio.Clip{PCM: pcm, Rate: rate}
	got := Measure(in)
	close2(t, "level", value(t, got, "level"), -23, 0.1)
	close2(t, "snr", value(t, got, "snr"), 37, 0.5)
	close2(t, "clipping", value(t, got, "clipping"), 0, 0)
	close2(t, "dropouts", value(t, got, "dropouts"), 1, 0)
	if !math.IsNaN(value(t, got, "dropouts_per_minute")) {
		t.Error("one dropout makes a rate")
	}
	audio.Gain(pcm, 30)
	if c := value(t, Measure(in), "clipping"); c < 0.5 {
		t.Errorf("clipping is %g", c)
	}
	for i := range 20 {
		clear(pcm[5*rate+i*1000+200 : 5*rate+i*1000+400])
	}
	close2(t, "dropouts a minute", value(t, Measure(in), "dropouts_per_minute"), 21*12, 12)
}

func TestSoundNeedsARecording(t *testing.T) {
	t.Parallel()
	in := talk(10, nil, segs(1, 9.9), nil)
	for _, clip := range []audio.Clip{{}, {PCM: make([]int16, 100)}, {PCM: make([]int16, 80), Rate: 8000}} {
		in.Agent = clip
		for _, m := range Measure(in) {
			if m.Value != nil && math.IsNaN(*m.Value) {
				t.Errorf("%s is no number", m.Name)
			}
		}
	}
	if !math.IsNaN(value(t, Measure(Input{Agent: audio.Clip{PCM: make([]int16, 9), Rate: 8000}}), "level")) {
		t.Error("a level without speech")
	}
}
