package decode_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/decode"
)

func interleave(channels ...[]int16) []int16 {
	var out []int16
	for i := range channels[0] {
		for _, c := range channels {
			out = append(out, c[i])
		}
	}
	return out
}

func TestOpusGivesWhatWentIn(t *testing.T) {
	t.Parallel()
	left, right := tone(48000, 440, 2), tone(48000, 1000, 2)
	for _, rate := range []int{8000, 16000, 48000} {
		file := opusStream{channels: 2, skip: 312, trim: 500, serial: 7}.write(t, interleave(left, right))
		got, err := decode.Decode(t.Context(), bytes.NewReader(file), decode.Limits{Rate: rate})
		if err != nil {
			t.Fatal(err)
		}
		want := (96000 - 312 - 500) * rate / 48000
		if n := len(got.Channels[0]); got.Rate != rate || n < want-1 || n > want+1 || got.Note != "" || got.Format != "opus" {
			t.Errorf("at %d: %d samples at %d Hz, want %d; note %q", rate, n, got.Rate, want, got.Note)
		}
		tail := func(c int) []int16 { return got.Channels[c][rate/2 : rate/2+rate] }
		if p := power(tail(0), rate, 440); p < 0.95 {
			t.Errorf("at %d: left has %.2f of its power at 440 Hz", rate, p)
		}
		if p := power(tail(1), rate, 1000); p < 0.95 {
			t.Errorf("at %d: right has %.2f of its power at 1000 Hz", rate, p)
		}
	}
}

// TestLongSoundIsKeptNarrow checks that audio longer than Limits.Wide is kept at the telephone's
// rate, all of it.
func TestLongSoundIsKeptNarrow(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 16000, 44100, 48000} {
		file := wavFile{tag: 1, bits: 16, channels: 2, rate: rate}.build(weave(sine(rate, 440, 9.7), sine(rate, 1000, 9.7)))
		got, err := decode.Decode(t.Context(), bytes.NewReader(file), decode.Limits{Wide: 4 * time.Second})
		want := 8000 * 97 / 10
		if err != nil || got.Rate != 8000 || len(got.Channels) != 2 || length(got) < want-2 || len(got.Channels[1]) > want+2 || len(got.Channels[0]) != len(got.Channels[1]) {
			t.Fatalf("at %d: %s at %d Hz, want 9.7s at 8000 Hz, %v", rate, got.Duration(), got.Rate, err)
		}
		for from := 0; from+8000 <= want; from += 8000 { // before, across and after the point from which it is resampled
			if l, r := power(got.Channels[0][from:from+8000], 8000, 440), power(got.Channels[1][from:from+8000], 8000, 1000); l < 0.97 || r < 0.97 {
				t.Errorf("at %d: from %d on %.3f and %.3f of the power", rate, from, l, r)
			}
		}
		if got, err = decode.Decode(t.Context(), bytes.NewReader(file), decode.Limits{Wide: 10 * time.Second}); err != nil || got.Rate != min(rate, 16000) {
			t.Errorf("at %d: %d Hz, want %d, %v", rate, got.Rate, min(rate, 16000), err)
		}
	}
}

func TestSoundOfHoursWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	asked, busy := 0, errors.New("no room")
	decoded := func(seconds int64, answer error) error {
		asked = 0
		_, err := decode.Decode(t.Context(), bytes.NewReader(jumps(20, seconds)), decode.Limits{Heavy: func(context.Context) error { asked++; return answer }})
		return err
	}
	if err := decoded(60, nil); err != nil || asked != 0 {
		t.Errorf("20 min: asked %d times, %v", asked, err)
	}
	if err := decoded(200, nil); err != nil || asked != 1 {
		t.Errorf("an hour: asked %d times, %v", asked, err)
	}
	if err := decoded(200, busy); !errors.Is(err, busy) {
		t.Errorf("no room: %v", err)
	}
}

func TestSoundIsTakenDownWhileItIsDecoded(t *testing.T) {
	t.Parallel()
	pcm := tone(44100, 440, 1.5)
	file := new(bytes.Buffer)
	if err := audio.WriteWAV(file, 44100, pcm); err != nil {
		t.Fatal(err)
	}
	got, err := decode.Decode(t.Context(), file, decode.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := audio.Resample(pcm, 44100, 16000)
	if got.Rate != 16000 || len(got.Channels[0]) != len(want) {
		t.Fatalf("%d samples at %d, want %d", len(got.Channels[0]), got.Rate, len(want))
	}
	for i := range want {
		if want[i] != got.Channels[0][i] {
			t.Fatalf("sample %d is %d, in one piece %d", i, got.Channels[0][i], want[i])
		}
	}
}
