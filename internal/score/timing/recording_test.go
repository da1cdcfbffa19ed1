package timing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
)

// voice makes n samples that resemble speech: syllables of harmonics with formants,
// audible from the first millisecond to the last.
func voice(rng *rand.Rand, n int) []int16 {
	pcm := make([]int16, n)
	for from := 0; from < n; {
		to := min(from+1000+rng.IntN(1200), n)
		f0, formant := 90+rng.Float64()*130, 350+rng.Float64()*900
		for i := from; i < to; i++ {
			t := float64(i) / 8000
			env := min(1, 0.15+float64(min(i-from, to-i))/240)
			var x float64
			for h := 1.0; h < 16; h++ {
				x += math.Exp(-math.Abs(h*f0-formant)/350) * math.Sin(2*math.Pi*h*f0*t)
			}
			pcm[i] = int16(2200 * env * x)
		}
		from = to
	}
	return pcm
}

// conversation makes turns with known latencies. It returns both channels, the caller's
// segments as sent, and the true latencies by the first audible sample.
func conversation(seed uint64, turns int) (agent []int16, caller []call.Segment, truth []float64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	at := 8000 + rng.IntN(4000)
	grow := func(to int) { agent = append(agent, make([]int16, max(to-len(agent), 0))...) }
	for range turns {
		n := 8000 + rng.IntN(16000)
		caller = append(caller, call.Segment{Start: moment(at), End: moment(at + n)})
		at += n
		wait := 1600 + rng.IntN(14000)
		answer := voice(rng, 6000+rng.IntN(20000))
		first, last, _ := audio.Clip{PCM: answer, Rate: 8000}.Audible()
		grow(at + wait)
		agent = append(agent, answer...)
		truth = append(truth, float64(wait+first)/8000)
		at += wait + last + 4000 + rng.IntN(8000)
		grow(at)
	}
	return agent, caller, truth
}

func moment(samples int) time.Duration { return time.Duration(samples) * time.Second / 8000 }

// TestLatencyFromARecording goes all the way from sound to metric.
func TestLatencyFromARecording(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		wide        bool    // recorded in a room at 16 kHz
		noise       float64 // dBFS, 0 for none
		median, p95 float64 // s
	}{
		{"clean", false, 0, 0.010, 0.030}, {"20 dB", false, -45, 0.010, 0.030}, {"10 dB", false, -35, 0.020, 0.060},
		{"clean in a room", true, 0, 0.010, 0.030}, {"20 dB in a room", true, -45, 0.010, 0.030},
	} {
		var errors []float64
		for seed := range uint64(4) {
			agent, caller, truth := conversation(seed, 20)
			if tt.noise != 0 {
				level := make([]int16, 0, len(agent))
				for _, s := range agent {
					if s != 0 {
						level = append(level, s)
					}
				}
				noise := make([]int16, len(agent))
				audio.NewNoise(seed).White(noise, audio.Level(level)+tt.noise+25)
				audio.Mix(agent, noise)
			}
			code := make([]byte, len(agent))
			audio.EncodeMuLaw(code, agent)
			audio.DecodeMuLaw(agent, code)
			rate := 8000
			if tt.wide {
				rate = 16000
			}
			heard := placed(activity.Segments(audio.Resample(agent, 8000, rate), rate), rate)
			in := Input{Heard: call.Heard{Caller: caller, Agent: heard, Turns: Turns(caller, heard, nil), Length: moment(len(agent))}}
			got := Measure(in)[1]
			if got.Name != "turn_latency" || got.Spread == nil || got.Spread.N != len(truth) {
				t.Fatalf("%s: %d turns, measured %+v", tt.name, len(truth), got)
			}
			for i, x := range got.Spread.Values {
				errors = append(errors, math.Abs(x-truth[i]))
			}
		}
		slices.Sort(errors)
		p50, p95 := Percentile(errors, 50), Percentile(errors, 95)
		t.Logf("%s: error of turn latency p50 %.1f p95 %.1f ms (n %d)", tt.name, p50*1000, p95*1000, len(errors))
		if p50 > tt.median || p95 > tt.p95 {
			t.Errorf("%s: error of turn latency p50 %.1f p95 %.1f ms", tt.name, p50*1000, p95*1000)
		}
	}
}
