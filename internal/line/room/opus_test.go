package room

import (
	"math"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// burst writes a voice-like sound: a pitch with its harmonics.
func burst(pcm []int16, from, to int) {
	for i := from; i < to; i++ {
		sum := 0.0
		for h := 1; h <= 20; h++ {
			sum += math.Sin(2*math.Pi*140*float64(h*i)/16000) / (1 + math.Pow((140*float64(h)-700)/400, 2))
		}
		pcm[i] = int16(2500 * sum)
	}
}

// through passes audio through a codec, and counts the packets that were the same as the one
// before.
func through(t *testing.T, pcm []int16, encode func(dst []byte, pcm []int16) (int, error)) (out []int16, repeated int) {
	t.Helper()
	d := newOpusDecoder()
	var last string
	for at := 0; at+frameSamples <= len(pcm); at += frameSamples {
		var b [maxOpus]byte
		n, err := encode(b[:], pcm[at:at+frameSamples])
		if err != nil {
			t.Fatal(err)
		}
		if string(b[:n]) == last {
			repeated++
		}
		last = string(b[:n])
		var got [frameSamples]int16
		if _, err := d.DecodeInt16(b[:n], got[:]); err != nil {
			t.Fatal(err)
		}
		out = append(out, got[:]...)
	}
	return out, repeated
}

// TestSilenceIsEncodedOnce checks that sending silence again instead of encoding it changes neither
// the silence nor what is said after it.
func TestSilenceIsEncodedOnce(t *testing.T) {
	t.Parallel()
	pcm := make([]int16, 6*16000)
	burst(pcm, 8000, 20000)
	burst(pcm, 60123, 80000)
	ours, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	got, repeated := through(t, pcm, ours.Encode)
	want, _ := through(t, pcm, func(dst []byte, pcm []int16) (int, error) { return whole.(*opus).encoder.EncodeInt16(pcm, dst) })
	if repeated < 150 {
		t.Errorf("%d packets were sent again", repeated)
	}
	lag, peak := audio.Correlate(want[59000:81000], got[59000:81000], 400)
	if lag != 0 || peak < 0.99 {
		t.Errorf("what is said after silence lags by %d samples and is like what it would be by %.3f", lag, peak)
	}
	if from, _ := extent(got[59000:]); math.Abs(float64(59000+from-60123)) > 16*(6.5+2) {
		t.Errorf("it begins at sample %d, want 60123", 59000+from)
	}
	for i, v := range got[28000:59000] {
		if v > 8 || v < -8 {
			t.Fatalf("sample %d of the silence is %d", i, v)
		}
	}
}

// TestPacketsSayHowLongTheyLast checks that the length that a packet declares is what it decodes
// to.
func TestPacketsSayHowLongTheyLast(t *testing.T) {
	t.Parallel()
	voice, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		packet []byte
		want   int
	}{
		"nothing":                {nil, 0},
		"one frame of 20 ms":     {spoken(t)[20], 320},
		"one of 60 ms":           {[]byte{3 << 3, 0}, 960},
		"two of 2.5 ms":          {[]byte{16<<3 | 1, 0, 0}, 80},
		"five of 20 ms":          {[]byte{31<<3 | 3, 5, 0}, 1600},
		"some, and not how many": {[]byte{31<<3 | 3}, 0},
	} {
		if got := voice.Samples(c.packet); got != c.want {
			t.Errorf("%s: %d samples, want %d", name, got, c.want)
		}
	}
}

// TestResetForgetsWhatCameBefore checks that after a reset, a decoder decodes like a new one.
func TestResetForgetsWhatCameBefore(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	used, fresh := newDecoder(), newDecoder()
	got, want := make([]int16, longestOpus), make([]int16, longestOpus)
	for _, p := range packets[10:20] {
		if _, err := used.Decode(got, p); err != nil {
			t.Fatal(err)
		}
	}
	used.Reset()
	for _, p := range packets[20:25] {
		n, err := used.Decode(got, p)
		m, _ := fresh.Decode(want, p)
		if err != nil || n != m || !slices.Equal(got[:n], want[:m]) {
			t.Fatalf("%d samples and %d, %v", n, m, err)
		}
	}
}
