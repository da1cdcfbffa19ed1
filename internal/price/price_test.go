package price

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestABillRoundsUpAsTheTrunkDoes(t *testing.T) {
	t.Parallel()
	p := Prices{Currency: "EUR", Trunks: []Trunk{{"other", 9, 1}, {"main", 0.012, 60}}, Speech: new(0.06)}
	r := p.For(Use{Trunk: "main", FreeModel: true})
	var b Bill
	b.Charge(r, 61*time.Second, true)
	b.Charge(r, 30*time.Second, false)
	b.Charge(r, 0, true)
	// Three begun minutes on the trunk, 91 seconds of speech, a model that is free.
	if math.Abs(b.Line-0.036) > 1e-9 || math.Abs(b.Speech-0.091) > 1e-9 || b.Model != 0 {
		t.Errorf("%+v", b)
	}
	if total, known := b.Total(); total != 0.127 || !known || r.Currency != "EUR" {
		t.Errorf("%v %v %s", total, known, r.Currency)
	}
}

func TestWhatHasNoPriceIsNamedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prices  Prices
		use     Use
		missing []string
	}{
		"nothing is set":                   {Prices{}, Use{Trunk: "main"}, []string{"trunk main", "speech", "language model"}},
		"all runs on this machine":         {Prices{}, Use{Trunk: "main", FreeLine: true, FreeSpeech: true, FreeModel: true}, nil},
		"rooms":                            {Prices{}, Use{FreeSpeech: true, FreeModel: true}, []string{"rooms"}},
		"rooms of our own":                 {Prices{}, Use{FreeLine: true, FreeSpeech: true, FreeModel: true}, nil},
		"another trunk":                    {Prices{Trunks: []Trunk{{"b", 1, 1}}}, Use{Trunk: "a", FreeSpeech: true, FreeModel: true}, []string{"trunk a"}},
		"a price for what would be free":   {Prices{Trunks: []Trunk{{"a", 1, 1}}}, Use{Trunk: "a", FreeLine: true, FreeSpeech: true, FreeModel: true}, nil},
		"rooms do not pay the first trunk": {Prices{Trunks: []Trunk{{"a", 1, 1}}, Rooms: new(0.0)}, Use{FreeSpeech: true, FreeModel: true}, nil},
	} {
		var b Bill
		r := c.prices.For(c.use)
		b.Charge(r, time.Minute, true)
		b.Charge(r, time.Minute, true)
		if _, known := b.Total(); !slices.Equal(b.Missing, c.missing) || known != (c.missing == nil) {
			t.Errorf("%s: %v", name, b.Missing)
		}
		if want := len(c.prices.Trunks) > 0 && c.use.FreeLine; want != (b.Line == 2) {
			t.Errorf("%s: the line costs %v", name, b.Line)
		}
	}
}

func TestPricesThatCannotBeAreRefusedAllAtOnce(t *testing.T) {
	t.Parallel()
	err := Prices{
		Currency: "dollar", Trunks: []Trunk{{"", -1, 0}, {"a", math.NaN(), 61}, {"a", 0, 1}},
		Rooms: new(math.Inf(1)), Speech: new(-0.1), Model: new(1001.0),
	}.Validate()
	var places []string
	for _, f := range problem.As(err).Fields {
		places = append(places, f.Path)
	}
	want := []string{
		"currency", "trunks[0].name", "trunks[0].per_minute", "trunks[0].billed_seconds", "trunks[1].per_minute", "trunks[1].billed_seconds", "trunks[2].name",
		"rooms_per_minute", "speech_per_minute", "model_per_minute",
	}
	if !slices.Equal(places, want) {
		t.Errorf("%v", places)
	}
	if err := (Prices{Currency: "USD", Trunks: []Trunk{{"a", 0, 60}}, Model: new(0.0)}).Validate(); err != nil {
		t.Error(err)
	}
}
