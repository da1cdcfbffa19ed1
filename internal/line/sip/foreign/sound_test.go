package foreign

import (
	"math"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

const rate = 8000

// burst is a tone at a place.
type burst struct {
	Hz       float64
	From, To time.Duration
}

// sing adds bursts to n samples of silence.
func sing(n int, bursts ...burst) []int16 {
	pcm := make([]int16, n)
	for _, b := range bursts {
		for i := samples(b.From); i < samples(b.To) && i < n; i++ {
			pcm[i] = int16(8000 * math.Sin(2*math.Pi*b.Hz*float64(i)/rate))
		}
	}
	return pcm
}

func samples(d time.Duration) int { return int(d * rate / time.Second) }

func span(n int) time.Duration { return time.Duration(n) * time.Second / rate }

// power returns the share of the energy of pcm at hz: near 1 for that tone alone.
func power(pcm []int16, hz float64) float64 {
	return audio.Goertzel(pcm, rate, hz) * float64(len(pcm)) / max(audio.Energy(pcm), 1)
}

// window is the length of the pieces in which tones are looked for: 25 ms.
const window = rate / 40

// found returns where a tone is heard: runs of windows that hold it alone and loudly, bridging gaps
// of up to 60 ms that a busy machine may have lost.
func found(pcm []int16, hz float64) []burst {
	const hop, bridge = window / 5, 60 * rate / 1000
	var out []burst
	start, end := -1, -1
	for at := 0; at+window <= len(pcm); at += hop {
		if w := pcm[at : at+window]; loud(w) && power(w, hz) > 0.85 {
			if start >= 0 && at-end > bridge {
				out = append(out, burst{Hz: hz, From: span(start), To: span(end)})
				start = -1
			}
			if start < 0 {
				start = at
			}
			end = at + window
		}
	}
	if start >= 0 {
		out = append(out, burst{Hz: hz, From: span(start), To: span(end)})
	}
	return out
}

func loud(pcm []int16) bool {
	return math.Sqrt(audio.Energy(pcm)/float64(len(pcm))) > 1500
}

// hears fails the test unless pcm holds the bursts in this order, with their lengths and distances.
// It returns where the first begins.
func hears(t testing.TB, what string, pcm []int16, said ...burst) time.Duration {
	t.Helper()
	// Two jitter buffers, a sound card that does not exist, and windows of 25 ms.
	const tolerance = 60 * time.Millisecond
	var first time.Duration
	for i, b := range said {
		got := found(pcm, b.Hz)
		if len(got) != 1 {
			t.Errorf("%s: the tone of %v Hz is heard %d times: %v", what, b.Hz, len(got), got)
			return 0
		}
		if d := (got[0].To - got[0].From) - (b.To - b.From); d > tolerance || d < -tolerance {
			t.Errorf("%s: the tone of %v Hz lasts %v, was said for %v", what, b.Hz, got[0].To-got[0].From, b.To-b.From)
		}
		if i == 0 {
			first = got[0].From
			continue
		}
		if d := (got[0].From - first) - (b.From - said[0].From); d > tolerance || d < -tolerance {
			t.Errorf("%s: the tone of %v Hz comes %v after the first, was said %v after it", what, b.Hz, got[0].From-first, b.From-said[0].From)
		}
	}
	return first
}

// likeness returns the best normalised correlation of what was said with a part of what was heard
// that begins between the two places.
func likeness(heard, said []int16, from, to int) (best float64, at int) {
	var own float64
	for _, v := range said {
		own += float64(v) * float64(v)
	}
	for at0 := max(from, 0); at0 <= to && at0+len(said) <= len(heard); at0++ {
		var both, other float64
		for i, v := range said {
			h := float64(heard[at0+i])
			both += float64(v) * h
			other += h * h
		}
		if other == 0 {
			continue
		}
		if c := both / math.Sqrt(own*other); c > best {
			best, at = c, at0
		}
	}
	return best, at
}

// slip is by how much a recording may shift within a word, as it learns the far end's clock: 1 ms.
const slip = rate / 1000

// frameByFrame returns how similar each 20 ms of a sound that begins at a place are to what was
// said: a missing frame shows as 0, a misplaced one as less than 1.
func frameByFrame(heard, said []int16, begins int) []float64 {
	const frame = rate / 50
	var all []float64
	for i := 0; i+frame <= len(said); i += frame {
		like, _ := likeness(heard, said[i:i+frame], begins+i-slip, begins+i+slip)
		all = append(all, like)
	}
	return all
}

// muLaw returns pcm in the form that sipp plays.
func muLaw(pcm []int16) []byte {
	out := make([]byte, len(pcm))
	audio.EncodeMuLaw(out, pcm)
	return out
}
