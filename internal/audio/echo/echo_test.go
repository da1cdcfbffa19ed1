package echo

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
)

const rate = 8000

// lines are what an agent and a caller say by turns.
var lines = [2][]string{{
	"Good morning, this is the clinic. How can I help you?",
	"Of course. I have Thursday at four fifteen, or Friday at nine in the morning. Which of them suits you better?",
	"Thank you. May I have your name and your date of birth, please?",
	"All right, I have moved your appointment to Thursday at four fifteen. You will get a message with all the details.",
	"Thank you for calling. Goodbye.",
}, {
	"Hello. I would like to move my appointment, please.", "Thursday is fine.", "Yes. It is Frances Smith, the third of May.", "Great, thank you very much.", "Bye bye.",
}}

// spoken are the lines of both sides, each in a voice of its own, at −23 dBFS.
var spoken = sync.OnceValues(func() (out [2][][]int16, err error) {
	dir, err := os.MkdirTemp("", "echo")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	for side, voice := range []string{"slt", "rms"} {
		for _, line := range lines[side] {
			pcm, err := say(filepath.Join(dir, "line.wav"), voice, line)
			if err != nil {
				return out, err
			}
			out[side] = append(out[side], pcm)
		}
	}
	return out, nil
})

func say(path, voice, line string) ([]int16, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := exec.CommandContext(ctx, "flite", "-voice", voice, "-t", line, "-o", path).Run(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w, err := audio.ReadWAV(bytes.NewReader(data), 1<<24)
	if err != nil {
		return nil, err
	}
	pcm := audio.Resample(w.Channels[0], w.Rate, rate)
	audio.Gain(pcm, -23-audio.Level(pcm))
	return pcm, nil
}

// manner is how two people talk: by turns, the caller too early by a second and a half, or each without regard to the other.
type manner int

const (
	byTurns manner = iota
	interrupting
	atOnce
)

// talk returns what the agent and the caller say.
func talk(t *testing.T, seed uint64, how manner) (sides [2][]int16) {
	t.Helper()
	said, err := spoken()
	if err != nil {
		t.Fatalf("flite does not speak (make setup installs it): %v", err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	at := [2]int{rate, rate}
	for side := range sides {
		sides[side] = make([]int16, 50*rate)
	}
	for i := range said[0] {
		for side := range sides {
			line := said[side][i]
			switch {
			case how == interrupting && side == 1:
				at[1] = at[0] - rate*3/2
			case how != atOnce:
				at[side] = max(at[0], at[1])
			}
			copy(sides[side][min(at[side], len(sides[side])):], line)
			at[side] += len(line) + rng.IntN(rate)
		}
	}
	return sides
}

// path is what a voice goes through on its way back.
type path struct {
	delay, loss float64 // seconds, dB
	room        bool    // with what its walls throw back for a third of a second, and without the highest sounds
	noise       float64 // of the line, in dBFS
}

// returned is what comes back of a voice.
func (p path) returned(voice []int16, seed uint64) []int16 {
	rng := rand.New(rand.NewPCG(seed, 2))
	delays, gains := []int{int(p.delay * rate)}, []float64{math.Pow(10, -p.loss/20)}
	for i := range 60 {
		if later := rng.IntN(rate / 3); p.room {
			delays = append(delays, delays[0]+later)
			gains = append(gains, gains[0]*0.4*rng.NormFloat64()*math.Pow(10, -3*float64(later)/(0.35*rate))*float64(i%2+1)/2)
		}
	}
	out := make([]int16, len(voice))
	low := 0.0
	for i := range out {
		sum := 0.0
		for k, d := range delays {
			if i >= d {
				sum += gains[k] * float64(voice[i-d])
			}
		}
		if p.room {
			low += 0.7 * (sum - low)
			sum = low
		}
		out[i] = int16(math.Round(sum))
	}
	return out
}

// onTheLine is what a side says on its line, with what comes back of the other.
func (p path) onTheLine(own, other []int16, seed uint64) []int16 {
	out := make([]int16, len(own))
	audio.NewNoise(seed).Pink(out, p.noise)
	audio.Mix(out, own)
	audio.Mix(out, p.returned(other, seed))
	return coded(out)
}

func coded(pcm []int16) []int16 {
	code, out := make([]byte, len(pcm)), make([]int16, len(pcm))
	audio.EncodeMuLaw(code, pcm)
	audio.DecodeMuLaw(out, code)
	return out
}

// apart is how far the edges of two lists of spans are apart at most, or −1 when there is another number of them.
func apart(a, b []audio.Span) time.Duration {
	if len(a) != len(b) {
		return -1
	}
	most := 0
	for i := range a {
		most = max(most, abs(a[i].Start-b[i].Start), abs(a[i].End-b[i].End))
	}
	return time.Duration(most) * time.Second / rate
}

func abs(x int) int { return max(x, -x) }

func TestAnEchoIsNoSpeech(t *testing.T) {
	t.Parallel()
	for _, p := range []path{
		{delay: 0.02, loss: 15, noise: -75},
		{delay: 0.1, loss: 20, noise: -75},
		{delay: 0.25, loss: 20, room: true, noise: -60},
		{delay: 0.15, loss: 28, room: true, noise: -55},
		{delay: 0.4, loss: 12, room: true, noise: -55},
		{delay: 0.7, loss: 25, noise: -65},
	} {
		for seed := range uint64(3) {
			sides := talk(t, seed, byTurns)
			none := path{loss: 200, noise: p.noise}
			agent, caller := coded(sides[0]), p.onTheLine(sides[1], sides[0], seed)
			want, heard := activity.Segments(none.onTheLine(sides[1], sides[0], seed), rate), activity.Segments(caller, rate)
			got, found, ok := Cut(heard, caller, agent, rate)
			if most := apart(want, got); most < 0 || most > 150*time.Millisecond {
				t.Errorf("%+v, seed %d: %d spans, %d with the echo, %d after cutting it, edges %v apart", p, seed, len(want), len(heard), len(got), most)
			}
			if !ok || math.Abs(found.Delay.Seconds()-p.delay) > 0.03 || math.Abs(found.Loss-p.loss) > 5 {
				t.Errorf("%+v, seed %d: found %v %+v", p, seed, ok, found)
			}
			spans := activity.Segments(agent, rate)
			if left, found, ok := Cut(spans, agent, caller, rate); ok || len(left) != len(spans) {
				t.Errorf("%+v, seed %d: on the agent's channel there is no echo: found %+v", p, seed, found)
			}
		}
	}
}

// Who speaks while the other one's echo comes back is heard, but for what is as soft as the echo.
func TestSpeechStandsOutOfAnEcho(t *testing.T) {
	t.Parallel()
	p := path{delay: 0.2, loss: 20, room: true, noise: -65}
	for seed := range uint64(6) {
		sides := talk(t, seed, interrupting)
		caller := p.onTheLine(sides[1], sides[0], seed)
		want := activity.Segments(coded(sides[1]), rate)
		got, _, ok := Cut(activity.Segments(caller, rate), caller, coded(sides[0]), rate)
		said, heard, both := total(want), total(got), shared(want, got)
		if !ok || both < said*9/10 || heard-both > said/20 {
			t.Errorf("seed %d: of %v of speech %v are left, and %v of echo", seed, said, both, heard-both)
		}
	}
}

func total(spans []audio.Span) time.Duration { return shared(spans, spans) }

// shared is how long both lists have speech.
func shared(a, b []audio.Span) time.Duration {
	n := 0
	for _, x := range a {
		for _, y := range b {
			n += max(0, min(x.End, y.End)-max(x.Start, y.Start))
		}
	}
	return time.Duration(n) * time.Second / rate
}

// A side that seldom speaks comes back as well, and where its recording has ended nothing does.
func TestAFewLinesComeBack(t *testing.T) {
	t.Parallel()
	p := path{delay: 0.2, loss: 18, noise: -70}
	talked := talk(t, 1, byTurns)
	quiet := make([]int16, 60*rate)
	agent := slices.Concat(quiet, talked[0][:18*rate])
	own := p.onTheLine(slices.Concat(quiet, talked[1][:24*rate]), append(slices.Clone(agent), make([]int16, 6*rate)...), 1)
	want := activity.Segments(slices.Concat(coded(quiet), coded(talked[1][:24*rate])), rate)
	got, found, ok := Cut(activity.Segments(own, rate), own, coded(agent), rate)
	if most := apart(want, got); !ok || most < 0 || most > 150*time.Millisecond {
		t.Errorf("found %v %+v: %d spans, want %d, edges %v apart", ok, found, len(got), len(want), most)
	}
}

// Two people who talk at the same time are no echo of one another, however soft one of them is.
func TestVoicesAreNoEcho(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		sides := talk(t, seed, manner(seed%3))
		none := path{loss: 200, noise: -45 - float64(seed%5)*10}
		audio.Gain(sides[1], -float64(seed%7)*4)
		agent, caller := none.onTheLine(sides[0], sides[1], seed), none.onTheLine(sides[1], sides[0], seed+1)
		for _, c := range [][2][]int16{{agent, caller}, {caller, agent}} {
			spans := activity.Segments(c[0], rate)
			if left, found, ok := Cut(spans, c[0], c[1], rate); ok || apart(spans, left) != 0 {
				t.Errorf("seed %d: found %+v", seed, found)
			}
		}
	}
}

func TestNothingToCompareIsNoEcho(t *testing.T) {
	t.Parallel()
	spans := []audio.Span{{Start: 10, End: 900}}
	for _, c := range []struct {
		own, other []int16
		rate       int
	}{{nil, nil, rate}, {make([]int16, 900), nil, rate}, {make([]int16, 900), make([]int16, 100), rate}, {make([]int16, 900), make([]int16, 900), 50}, {make([]int16, 900), make([]int16, 900), 0}} {
		if left, _, ok := Cut(spans, c.own, c.other, c.rate); ok || apart(spans, left) != 0 {
			t.Errorf("%d and %d samples at %d Hz: %v", len(c.own), len(c.other), c.rate, left)
		}
	}
}
