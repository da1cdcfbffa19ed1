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
