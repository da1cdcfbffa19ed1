package emotion

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// tone is how one planted turn sounds.
type tone struct {
	pitch, gain float64
	// bright is the share of the upper harmonics, seconds the length.
	bright, seconds float64
}

// planted returns turns of tones with pauses of a second, on a line with a
// little noise. From lineStep on the line's gain is trebled. With coded, the
// sound is coded.
func planted(tones []tone, lineStep int, coded bool) Input {
	const rate = 8000
	var pcm []int16
	var ts []call.Turn
	noise := uint32(1)
	gain := 1.0
	hiss := func(v float64) int16 {
		noise = noise*1664525 + 1013904223
		return int16(math.Max(-32000, math.Min(32000, gain*(v+float64(noise>>24)/8-16))))
	}
	for n, q := range tones {
		if n == lineStep {
			gain = 3
		}
		for range rate {
			pcm = append(pcm, hiss(0))
		}
		start := time.Duration(len(pcm)) * time.Second / rate
		for i := range int(q.seconds * rate) {
			v, at := 0.0, float64(i)/rate
			f := q.pitch * (1 + 0.03*math.Sin(2*math.Pi*1.3*at))
			for k := 1.0; k*f < 3400; k++ {
				if k*f > 250 {
					v += math.Pow(q.bright, k) * math.Sin(2*math.Pi*k*q.pitch*at-k*q.pitch*0.03/1.3*math.Cos(2*math.Pi*1.3*at))
				}
			}
			envelope := 0.6 + 0.4*math.Sin(2*math.Pi*3.5*at)
			pcm = append(pcm, hiss(2500*q.gain*envelope*v))
		}
		ts = append(ts, call.Turn{Index: n, Speaker: call.Caller, Start: start, End: time.Duration(len(pcm)) * time.Second / rate, Text: "the number is four five seven one two"})
	}
	if coded {
		bytes := make([]byte, len(pcm))
		audio.EncodeMuLaw(bytes, pcm)
		audio.DecodeMuLaw(pcm, bytes)
	}
	return Input{Turns: ts, Timed: true, Caller: audio.Clip{PCM: pcm, Rate: rate}}
}

func TestArousalFollowsPlantedVoices(t *testing.T) {
	t.Parallel()
	m := model(t)
	calm, raised, tired := tone{120, 0.5, 0.8, 2.5}, tone{170, 1.2, 0.88, 2.2}, tone{98, 0.3, 0.7, 3}
	for _, base := range []float64{1, 1.75} { // a low voice and a high one
		for _, coded := range []bool{false, true} {
			var tones []tone
			for _, q := range []tone{calm, calm, raised, calm, tired, calm} {
				q.pitch *= base
				tones = append(tones, q)
			}
			f := m.Feel(planted(tones, -1, coded))
			if f.Engines["voice"] != VoiceEngine {
				t.Fatalf("no voice was judged: %s", f.Reason)
			}
			for i, x := range f.Turns {
				a := *x.Arousal
				switch {
				case i == 2 && a < 0.5, i == 4 && a > -0.3, i != 2 && i != 4 && math.Abs(a) > 0.15:
					t.Errorf("pitch ×%g, coded %v: turn %d has arousal %.2f", base, coded, i, a)
				}
			}
		}
	}
}

func TestLouderLineIsNoArousal(t *testing.T) {
	t.Parallel()
	calm := tone{120, 0.5, 0.8, 2.5}
	f := model(t).Feel(planted([]tone{calm, calm, calm, calm, calm}, 3, true))
	for i, x := range f.Turns {
		if math.Abs(*x.Arousal) > 0.2 {
			t.Errorf("turn %d has arousal %.2f", i, *x.Arousal)
		}
	}
}

func TestArousalAbstains(t *testing.T) {
	t.Parallel()
	calm := tone{120, 0.5, 0.8, 2.5}
	short := tone{120, 0.5, 0.8, 0.8}
	untimed := planted([]tone{calm, calm, calm, calm}, -1, false)
	untimed.Timed = false
	silent := planted([]tone{calm, calm, calm, calm}, -1, false)
	clear(silent.Caller.PCM)
	unheard := planted([]tone{calm, calm, calm, calm}, -1, false)
	unheard.Caller = audio.Clip{}
	for name, in := range map[string]Input{
		"two turns": planted([]tone{calm, calm}, -1, false), "three seconds": planted([]tone{short, short, short, short}, -1, false),
		"no times": untimed, "silence": silent, "no recording": unheard,
	} {
		f := model(t).Feel(in)
		if _, ok := f.Engines["voice"]; ok || !strings.Contains(f.Reason, "Arousal was not measured") {
			t.Errorf("%s: engines %v, reason %q", name, f.Engines, f.Reason)
		}
		for _, x := range f.Turns {
			if x.Arousal != nil {
				t.Errorf("%s: a turn has arousal", name)
			}
		}
	}
}
