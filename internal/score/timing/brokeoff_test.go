package timing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// ends returns ways in which a sentence may end, applied to its last samples at 8 kHz.
func ends() map[string]func(pcm []int16) {
	fade := func(samples int, shape func(rest float64) float64) func([]int16) {
		return func(pcm []int16) {
			for i := range samples {
				at := len(pcm) - samples + i
				pcm[at] = int16(float64(pcm[at]) * shape(float64(samples-i)/float64(samples)))
			}
		}
	}
	linear := func(rest float64) float64 { return rest }
	return map[string]func([]int16){
		"broken off":            func([]int16) {},
		"broken off with 20 ms": fade(160, linear),
		"broken off with 40 ms": fade(320, linear),
		"over":                  fade(1000, func(rest float64) float64 { return math.Pow(10, -2*(1-rest)) }),
	}
}

// TestASentenceThatIsOverIsNoStop plays a backchannel shortly before the agent falls silent.
func TestASentenceThatIsOverIsNoStop(t *testing.T) {
	t.Parallel()
	for name, end := range ends() {
		for _, noise := range []float64{0, -50, -42} {
			if noise != 0 && name == "broken off with 40 ms" {
				continue // soft sound drowns in noise, and the edge is imprecise
			}
			rng := rand.New(rand.NewPCG(1, 9))
			said := voice(rng, 24000)
			for audio.Level(said[len(said)-160:]) < audio.Level(said) {
				said = said[:len(said)-80] // to the middle of a sound
			}
			end(said)
			agent := append(append(make([]int16, 28000-len(said)), said...), make([]int16, 40000)...)
			if noise != 0 {
				hiss := make([]int16, len(agent))
				audio.NewNoise(3).White(hiss, noise)
				audio.Mix(agent, hiss)
			}
			aside := call.Event{Kind: call.KindSaid, At: sec(3), End: sec(3.3), Text: "okay", Manner: call.MannerBackchannel}
			heard := Hear([]call.Event{aside}, audio.Clip{}, audio.Clip{PCM: agent, Rate: 8000})
			got := Measure(Input{Heard: heard, Agent: audio.Clip{PCM: agent, Rate: 8000}})
			want, ignored := 1.0, 0.0
			if name == "over" {
				want, ignored = absent, absent
			}
			who := fmt.Sprintf("%s, noise %v", name, noise)
			equals(t, who, got, "false_barge_in", want)
			equals(t, who, got, "backchannel_errors", want)
			equals(t, who, got, "backchannel_selectivity", ignored)
		}
	}
}

// TestALoudEndIsNoStopWhereTheAgentEndsLoudByItself plays three sentences and a backchannel
// during the last, which ends half a second later. How the first two end decides how the third's
// end is judged.
func TestALoudEndIsNoStopWhereTheAgentEndsLoudByItself(t *testing.T) {
	t.Parallel()
	hurried := func(pcm []int16) { // loud until 20 ms before the end, then soft at once
		for i := range 160 {
			at := len(pcm) - 160 + i
			pcm[at] = int16(float64(pcm[at]) * math.Pow(10, -1.2*min(float64(i)/60, 1)))
		}
	}
	whole, over := ends()["broken off"], ends()["over"]
	for _, c := range []struct {
		name          string
		first, second func([]int16)
		third         func([]int16)
		// into says that the second sentence ends during a line of the caller.
		into bool
		want float64
	}{
		{"the others die away", over, over, whole, false, 1},
		{"the others end as loud", whole, whole, whole, false, absent},
		{"one of the others ends as loud", over, whole, whole, false, absent},
		{"hurried like the others", hurried, hurried, hurried, false, absent},
		{"plainly louder than the hurried others", hurried, hurried, whole, false, 1},
		{"the other one that is loud yielded to the caller", over, whole, whole, true, 1},
		{"the others are loud and this one dies away", whole, whole, over, false, absent},
	} {
		for _, noise := range []float64{0, -60} {
			rng := rand.New(rand.NewPCG(1, 9))
			var agent []int16
			for i, end := range []func([]int16){c.first, c.second, c.third} {
				said := voice(rng, 24000)
				for audio.Level(said[len(said)-160:]) < audio.Level(said) {
					said = said[:len(said)-80] // to the middle of a sound
				}
				end(said)
				agent = append(append(agent, make([]int16, 36000*(i+1)-len(said)-len(agent))...), said...)
			}
			agent = append(agent, make([]int16, 40000)...)
			if noise != 0 {
				hiss := make([]int16, len(agent))
				audio.NewNoise(3).White(hiss, noise)
				audio.Mix(agent, hiss)
			}
			timeline := []call.Event{{Kind: call.KindSaid, At: sec(13), End: sec(13.3), Text: "okay", Manner: call.MannerBackchannel}}
			if c.into {
				timeline = append([]call.Event{{Kind: call.KindSaid, At: sec(8), End: sec(10), Text: "wait a moment"}}, timeline...)
			}
			heard := Hear(timeline, audio.Clip{}, audio.Clip{PCM: agent, Rate: 8000})
			got := Measure(Input{Heard: heard, Agent: audio.Clip{PCM: agent, Rate: 8000}})
			equals(t, fmt.Sprintf("%s, noise %v", c.name, noise), got, "false_barge_in", c.want)
		}
	}
}

// equals compares a metric with the expected value; absent means none.
func equals(t *testing.T, name string, metrics []call.Metric, metric string, want float64) {
	t.Helper()
	got := value(t, metrics, metric)
	if want == absent && math.IsNaN(got) {
		return
	}
	if got != want {
		t.Errorf("%s: %s is %v, want %v", name, metric, got, want)
	}
}
