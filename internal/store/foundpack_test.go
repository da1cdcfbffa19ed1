package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// drawFound is what a review may have found; lists are never nil, as they are read.
func drawFound(draw *rand.Rand) experiment.Found {
	text := func() string { return string([]rune("aä\u0000\"🎙 bcdefgh")[:draw.IntN(12)]) }
	value := func() *float64 {
		if draw.IntN(3) == 0 {
			return nil
		}
		v := draw.NormFloat64()
		return &v
	}
	f := experiment.Found{CallID: text(), Scores: make([]experiment.FoundScore, draw.IntN(4)), Metrics: make([]experiment.FoundMetric, draw.IntN(4))}
	for i := range f.Scores {
		f.Scores[i] = experiment.FoundScore{
			ScorerID: text(), Name: text(), Version: draw.IntN(300) - 10, Verdict: call.Verdict(text()), Required: draw.IntN(2) == 0,
			Value: value(), Unit: text(), Reason: text(), Evidence: make([]experiment.FoundPlace, draw.IntN(3)),
		}
		for j := range f.Scores[i].Evidence {
			f.Scores[i].Evidence[j].Start = time.Duration(draw.Int64()) - 1<<62
		}
	}
	for i := range f.Metrics {
		f.Metrics[i] = experiment.FoundMetric{Name: text(), Version: draw.IntN(9), Unit: text(), Value: value()}
		if draw.IntN(2) == 0 {
			f.Metrics[i].Spread = &experiment.FoundSpread{Values: make([]float64, draw.IntN(5))}
			for j := range f.Metrics[i].Spread.Values {
				f.Metrics[i].Spread.Values[j] = draw.Float64()
			}
		}
	}
	return f
}

// What was found of a call comes back as it was, be it kept in its own form or as
// JSON, as it was kept before.
func TestFoundComesBackAsItWas(t *testing.T) {
	t.Parallel()
	draw, codec, texts := rand.New(rand.NewPCG(1, 2)), newCodec(), map[string]string{}
	for n := range 500 {
		want := drawFound(draw)
		asJSON, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		old, err := codec.pack(asJSON)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range [][]byte{packFound(&want), old} {
			var got experiment.Found
			if err := (foundScan{codec, &got, texts}).Scan(body); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%d: %v\n%+v\n%+v", n, err, got, want)
			}
		}
	}
}

// A body that is cut off, or is something else, is an error and nothing worse.
func TestFoundThatIsBrokenIsAnError(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f := drawFound(draw)
		plain, err := unpackQuick(packFound(&f)[1:])
		if err != nil {
			t.Fatal(err)
		}
		for cut := range plain {
			r := foundReader{in: plain[:cut], texts: map[string]string{}}
			r.found(new(experiment.Found))
			if r.err == nil {
				t.Fatalf("%d of %d bytes are taken for whole", cut, len(plain))
			}
		}
		plain[draw.IntN(len(plain))] ^= byte(1 + draw.IntN(255))
		r := foundReader{in: plain, texts: map[string]string{}}
		r.found(new(experiment.Found)) // whatever it says
	}
}

func BenchmarkFound(b *testing.B) {
	f := experiment.Found{CallID: "call_01m80d1rh0fdbvb4yzc1j92644"}
	for i := range 14 {
		f.Scores = append(f.Scores, experiment.FoundScore{ScorerID: "sc_01m80d1rh0fdbvb4yzc1j92644", Name: fmt.Sprint("scorer ", i), Version: 3, Verdict: call.Passed, Required: true, Value: new(float64), Unit: "s", Reason: "The figure is within the bound.", Evidence: make([]experiment.FoundPlace, 1)})
	}
	for i := range 30 {
		f.Metrics = append(f.Metrics, experiment.FoundMetric{Name: fmt.Sprint("metric ", i), Version: 2, Unit: "s", Value: new(float64), Spread: &experiment.FoundSpread{Values: make([]float64, 6)}})
	}
	codec := newCodec()
	asJSON, _ := json.Marshal(f)
	old, _ := codec.pack(asJSON)
	for name, body := range map[string][]byte{"own form": packFound(&f), "JSON": old} {
		b.Run(name, func(b *testing.B) {
			texts := map[string]string{}
			for range b.N {
				var got experiment.Found
				if err := (foundScan{codec, &got, texts}).Scan(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
