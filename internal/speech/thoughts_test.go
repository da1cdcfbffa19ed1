package speech

import (
	"strings"
	"testing"
)

// inPieces returns an answer without its thoughts, fed in pieces of the given size.
func inPieces(answer string, size int) string {
	var t thoughts
	var got strings.Builder
	for len(answer) > 0 {
		n := min(size, len(answer))
		got.WriteString(t.without(answer[:n]))
		answer = answer[n:]
	}
	got.WriteString(t.rest())
	return got.String()
}

func TestThoughtsAreNotSaid(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"On Monday at nine.": "On Monday at nine.",
		"<think>\nThey ask when. <b>Nine</b> it is.\n</think>\n\nOn Monday.": "On Monday.",
		"<think></think>Yes.":                            "Yes.",
		"\n<think>Hm.</think>\n<think>And?</think> Yes.": "Yes.",
		"<think>They ask when, and":                      "",
		"<think>They ask when.</thi":                     "",
		"<th":                                            "<th",
		"<thanks> is no mark":                            "<thanks> is no mark",
		"Type <think> and press </think>, then.":         "Type <think> and press </think>, then.",
		"":                                               "",
	} {
		for size := 1; size <= len(answer)+1; size++ {
			if got := inPieces(answer, size); got != want {
				t.Errorf("%q in pieces of %d gives %q, want %q", answer, size, got, want)
			}
		}
	}
}

func FuzzThoughts(f *testing.F) {
	for _, s := range []string{"<think>a</think> b", "<think></thin<think></think>", " <", "a<think>"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, size int) {
		whole := inPieces(s, len(s)+1)
		if got := inPieces(s, max(1, size)); got != whole {
			t.Errorf("%q in pieces of %d gives %q, whole %q", s, size, got, whole)
		}
		if !strings.HasSuffix(s, whole) {
			t.Errorf("%q gives %q", s, whole)
		}
	})
}
