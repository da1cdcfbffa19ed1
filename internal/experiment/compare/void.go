package compare

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// VoidReason is why calls are no evidence. Where reasons differ in their figures
// alone, they are one, which tells from what to what the figures go.
type VoidReason struct {
	Reason  string   `json:"reason" doc:"What went wrong, in a sentence. Reasons that differ only in their figures are told as one, with the range of the figures"`
	CallIDs []string `json:"call_ids" doc:"Ids of the calls"`
}

// voidOf gathers the void calls by why, in the order of the calls.
func voidOf(calls []experiment.Result) []VoidReason {
	// What reasons may differ in and still be one is a number, or a time of the call (1:23.4).
	figure := regexp.MustCompile(`\d+(?::\d\d)*(?:\.\d+)?`)
	at, out := map[string]int{}, []VoidReason{}
	var spans [][]span
	for _, r := range calls {
		if r.Call.Verdict != call.Void {
			continue
		}
		reason := r.Call.VerdictReason
		kind, figures := figure.ReplaceAllString(reason, "\x00"), figure.FindAllString(reason, -1)
		i, ok := at[kind]
		if !ok {
			i = len(out)
			at[kind] = i
			out, spans = append(out, VoidReason{Reason: kind}), append(spans, make([]span, len(figures)))
		}
		for f, text := range figures {
			spans[i][f].take(text)
		}
		out[i].CallIDs = append(out[i].CallIDs, r.Call.ID)
	}
	for i := range out {
		out[i].Reason = told(out[i].Reason, spans[i])
	}
	return out
}

// told puts figures in their places.
func told(kind string, figures []span) string {
	var text strings.Builder
	for i, part := range strings.Split(kind, "\x00") {
		if i > 0 {
			text.WriteString(figures[i-1].String())
		}
		text.WriteString(part)
	}
	return text.String()
}

// span is from what to what a figure goes, as it is written.
type span struct{ low, high string }

func (s *span) take(text string) {
	if s.low == "" || amount(text) < amount(s.low) {
		s.low = text
	}
	if s.high == "" || amount(text) > amount(s.high) {
		s.high = text
	}
}

func (s span) String() string {
	if s.low == s.high {
		return s.low
	}
	return s.low + " to " + s.high
}

// amount is what a figure comes to, of a time of the call in seconds.
func amount(text string) (all float64) {
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		all = all*60 + n
	}
	return all
}
