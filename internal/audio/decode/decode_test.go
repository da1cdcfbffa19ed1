package decode_test

import (
	"bytes"
	"testing"

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
