package monitor

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
)

// valued is a transaction in which all values of a dimension are taken.
type valued struct{ *called }

func (v valued) Texts(_ context.Context, _ string, kinds ...string) (out []Value, _ error) {
	for id := range maxDimValues {
		out = append(out, Value{Kind: kinds[0], ID: id + 1, Text: fmt.Sprint("customer ", id+1)})
	}
	return out, nil
}

// Who asks for a value beyond the limit is told that its calls are not counted by themselves.
func TestAValueThatIsCountedWithOthers(t *testing.T) {
	t.Parallel()
	const dim = DimKey + "customer"
	for s, want := range map[bucket.Series]bool{
		{Dim: dim, Value: "customer 101"}: true, {Dim: dim, Value: "customer 100"}: false, {Dim: dim, Value: Other}: false,
		{Dim: DimAgent, Value: "customer 101"}: false, {}: false,
	} {
		p := span{Series: s}
		if got, err := p.beyond(t.Context(), valued{}); err != nil || got != want {
			t.Errorf("%+v: %v, %v", s, got, err)
		}
	}
	p := span{Series: bucket.Series{Dim: dim, Value: "customer 8"}}
	if got, err := p.beyond(t.Context(), fewValues{}); err != nil || got {
		t.Errorf("of few values: %v, %v", got, err)
	}
}

// fewValues is a transaction in which a dimension has one value.
type fewValues struct{ *called }

func (fewValues) Texts(context.Context, string, ...string) ([]Value, error) {
	return []Value{{ID: 1, Text: "customer 7"}}, nil
}

// One caller is told in the calls of all values beyond the limit, too, which are counted together.
func TestOneCallerAmongTheOtherValues(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	const dim = DimKey + "customer"
	for value, c := range map[string]struct {
		values [2]string // of the caller's calls, and of the others
		want   int64
	}{
		Other:         {[2]string{"customer 101", "customer 102"}, 25},
		"customer 7":  {[2]string{"customer 7", "customer 7"}, 25},
		"customer 8":  {[2]string{"customer 101", "customer 8"}, 0},
		"customer 99": {[2]string{"", "customer 99"}, 0},
	} {
		tx := valued{&called{numbers: map[string]string{}}}
		for i := range 25 {
			tx.add("", "+15550100123", at.Add(time.Duration(i)*time.Minute), true)
		}
		for i := range 30 {
			tx.add("", fmt.Sprintf("+4930%06d", i), at.Add(time.Duration(i)*time.Minute), i < 2)
		}
		for i := range tx.facts {
			of := c.values[0]
			if i >= 25 {
				of = c.values[1]
			}
			if of != "" {
				tx.facts[i].Dims = map[string]string{dim: of}
			}
		}
		f, _ := figureOf("drop_off_rate")
		in := hangUps(at, 55)
		got, err := madeByOne(t.Context(), tx, StoredReport{Series: bucket.Series{Dim: dim, Value: value}}, &in, &f)
		if err != nil || got != c.want {
			t.Errorf("%s: %d calls are one caller's, want %d: %v", value, got, c.want, err)
		}
	}
}
