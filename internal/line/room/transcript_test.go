package room

import (
	"fmt"
	"slices"
	"testing"
)

// Pieces come in any order, and each segment is kept once.
func TestTranscriptsInPieces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pieces []words
		want   []string
	}{
		"whole at once":              {[]words{{"", "Hello.", true}, {"", "Hello.", true}}, []string{"Hello. true", "Hello. true"}},
		"piece by piece":             {[]words{{"1", "We", false}, {"1", "We are", false}, {"1", "We are open.", true}}, []string{"We are open. true"}},
		"said again after the end":   {[]words{{"1", "Yes.", true}, {"1", "Yes.", false}, {"1", "Yes.", true}}, []string{"Yes. true"}},
		"never ended":                {[]words{{"1", "Is there", false}, {"2", "Goodbye.", true}}, []string{"Is there false", "Goodbye. true"}},
		"an older piece comes last":  {[]words{{"1", "We are open.", true}, {"2", "Is there", false}, {"1", "We are", false}, {"3", "Goodbye.", true}}, []string{"We are open. true", "Is there false", "Goodbye. true"}},
		"ended after the next began": {[]words{{"1", "Is there", false}, {"2", "Good", false}, {"1", "Is there more?", true}, {"2", "Goodbye.", true}}, []string{"Is there false", "Is there more? true", "Goodbye. true"}},
		"nothing":                    {[]words{{"1", "", true}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := transcripts{saying: map[string]words{}, written: map[segment]bool{}}
			var got []string
			for _, piece := range c.pieces {
				for _, w := range all.take("agent", piece) {
					got = append(got, fmt.Sprint(w.text, " ", w.final))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("kept are %q, want %q", got, c.want)
			}
		})
	}
}

// What one side says does not end what the other is saying, and nobody fills the memory.
func TestTranscriptsOfBothAndOfMany(t *testing.T) {
	t.Parallel()
	all := transcripts{saying: map[string]words{}, written: map[segment]bool{}}
	if got := all.take("agent", words{"1", "How", false}); got != nil {
		t.Errorf("%v", got)
	}
	if got := all.take("caller", words{"1", "Hi.", true}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if got := all.take("agent", words{"1", "How are you?", true}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	for i := range 5 * mostTranscripts {
		all.take("agent", words{fmt.Sprint("s", i), "x", i%2 == 0})
	}
	if len(all.written) > mostTranscripts+1 {
		t.Errorf("%d are remembered", len(all.written))
	}
}
