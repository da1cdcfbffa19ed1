package linetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// share returns the share of pcm's energy at hz: near 1 for that tone alone.
func share(pcm []int16, rate int, hz float64) float64 {
	return audio.Goertzel(pcm, rate, hz) * float64(len(pcm)) / max(audio.Energy(pcm), 1)
}

// ownShare is the minimum share of a window's energy at the tone that it should hold. A recording may
// follow the far end's clock by 0.125 ms in each frame, which leaves two thirds of the highest tone
// of these tests; of two equally loud tones each has half, and any other tone has a thirtieth.
const ownShare = 0.6

// tonal returns the share of 25 ms windows that hold the tone and nothing else.
func tonal(pcm []int16, rate int, hz float64) float64 {
	n := rate / 40
	good, all := 0, 0
	for ; len(pcm) >= n; pcm = pcm[n:] {
		all++
		if share(pcm[:n], rate, hz) > ownShare {
			good++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(good) / float64(all)
}

// sketch draws the peaks of every 5 ms as digits, grouped by frame, for the message of a failed test.
func sketch(pcm []int16, rate int) string {
	var out strings.Builder
	n := rate / 200
	for i := 0; i+n <= len(pcm); i += n {
		if i%(4*n) == 0 {
			out.WriteByte('|')
		}
		out.WriteByte('0' + byte(min(9, max(0, int(slices.Max(pcm[i:i+n]))*10/loudness))))
	}
	return out.String()
}

// extent returns the index of the first loud sample and one past the last.
func extent(pcm []int16) (first, last int) {
	first = -1
	for i, s := range pcm {
		if s > 500 || s < -500 {
			if first < 0 {
				first = i
			}
			last = i + 1
		}
	}
	return first, last
}

// holds fails the test unless pcm holds the burst, and nothing else, at its planted place within tolerance.
func holds(t testing.TB, what string, pcm []int16, rate int, b Burst, tolerance time.Duration) {
	t.Helper()
	first, last := extent(pcm)
	if first < 0 {
		t.Errorf("%s: nothing to be heard of the %v Hz tone", what, b.Hz)
		return
	}
	if s := tonal(pcm[first:last], rate, b.Hz); s < 0.75 {
		t.Errorf("%s: only %.0f %% of the sound is the %v Hz tone", what, 100*s, b.Hz)
	}
	near(t, what+": start", at(first, rate), b.From, tolerance)
	near(t, what+": end", at(last, rate), b.To, tolerance)
}

func at(sample, rate int) time.Duration {
	return time.Duration(sample) * time.Second / time.Duration(rate)
}

func near(t testing.TB, what string, got, want, tolerance time.Duration) {
	t.Helper()
	if d := got - want; d > tolerance || d < -tolerance {
		t.Errorf("%s at %v, want %v ± %v", what, got, want, tolerance)
	}
}
