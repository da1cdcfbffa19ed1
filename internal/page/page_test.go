package page_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestSize(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit  int
		cursor string
		size   int
		faults []string
	}{
		"nothing asked for":   {size: page.Default},
		"one":                 {limit: 1, size: 1},
		"the most":            {limit: page.Max, cursor: "ve_01k", size: page.Max},
		"too many":            {limit: page.Max + 1, faults: []string{"limit"}},
		"less than none":      {limit: -1, faults: []string{"limit"}},
		"of another list":     {cursor: "agt_01k", faults: []string{"cursor"}},
		"no id":               {cursor: "abc", faults: []string{"cursor"}},
		"an id and more":      {cursor: "ve_01k x", faults: []string{"cursor"}},
		"longer than any id":  {cursor: "ve_" + strings.Repeat("0", 64), faults: []string{"cursor"}},
		"both at fault":       {limit: -1, cursor: "ve", faults: []string{"limit", "cursor"}},
		"the default of more": {cursor: "ve_01k", size: page.Default},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			size, err := page.Size(c.limit, c.cursor, page.ByID("ve"))
			var faults []string
			if p := problem.As(err); p != nil {
				for _, f := range p.Fields {
					faults = append(faults, f.Path)
				}
			}
			if size != c.size || !slices.Equal(faults, c.faults) {
				t.Errorf("%d elements, faults at %v, want %d and %v", size, faults, c.size, c.faults)
			}
		})
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read, size, elements int
		next                 string
	}{
		"nothing":        {0, 2, 0, ""},
		"less":           {1, 2, 1, ""},
		"just a page":    {2, 2, 2, ""},
		"one and a page": {3, 2, 2, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := make([]int, c.read)
			for i := range read {
				read[i] = i
			}
			elements, next := page.Cut(read, c.size, func(last *int) string { return strconv.Itoa(*last) })
			if len(elements) != c.elements || next != c.next {
				t.Errorf("%v, next %q, want %d elements and %q", elements, next, c.elements, c.next)
			}
		})
	}
}
