package score_test

import (
	"encoding/json"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// The letters of a scorer and those of a call may be composed differently.
func TestLettersMayBeComposedDifferently(t *testing.T) {
	t.Parallel()
	words := func(texts ...string) (out []call.Word) {
		for i, w := range texts {
			out = append(out, call.Word{Text: w, Start: time.Duration(i) * 300 * ms, End: time.Duration(i+1) * 300 * ms})
		}
		return out
	}
	forms := []norm.Form{norm.NFC, norm.NFD}
	for _, said := range forms {
		text := said.String("Ihr Termin bei Frau Müller im Café Zoë ist bestätigt")
		in := &score.Input{
			Heard: call.Heard{Turns: []call.Turn{{
				Speaker: call.Agent, End: 6000 * ms, Text: text,
				Words: words("Ihr", "Termin", "bei", "Frau", "Müller im", "Café", "Zoë", "ist", "bestätigt"),
			}}},
			HasRecord: true, ToolCalls: []call.ToolCall{{Name: "book", Arguments: json.RawMessage(said.String(`{"name":"Zoë MÜLLER"}`))}},
		}
		for _, written := range forms {
			for _, c := range []struct {
				kind, params string
				want         call.Verdict
			}{
				{"say", `{"phrase":"Frau Müller im Café"}`, call.Passed},
				{"do_not_say", `{"phrase":"café zoë"}`, call.NotPassed},
				{"fact_stated", `{"value":"Müller"}`, call.Passed},
				{"regex", `{"pattern":"m[üu]ller.*CAFÉ"}`, call.Passed},
				{"regex", `{"pattern":"müller","never":true}`, call.NotPassed},
				{"tool_called", `{"name":"book","arguments":{"name":"zoë müller"}}`, call.Passed},
				{"cel", `{"expression":"call.agent_text.contains('Café') && call.agent_text.matches('Zo[ë]')"}`, call.Passed},
			} {
				got := build(t, c.kind, written.String(c.params)).Score(t.Context(), in)
				if got.Verdict != c.want {
					t.Errorf("%s %+q: %s %+q", c.kind, written.String(c.params), got.Verdict, got.Reason)
				}
				if c.kind == "fact_stated" && (len(got.Evidence) != 1 || got.Evidence[0].Start != 1200*ms) {
					t.Errorf("the times of the words are lost: %+v", got.Evidence)
				}
			}
			if _, ok := score.Quote(&in.Heard, 0, written.String("Café Zoë")); !ok {
				t.Error("the judge's quote is not found")
			}
		}
	}
}

// A quote may be a part of what is compared as a whole.
func TestQuoteOfAPart(t *testing.T) {
	t.Parallel()
	h := &call.Heard{Turns: []call.Turn{{Speaker: call.Agent, End: time.Second, Text: "so monday morning at nine thirty works for us, it takes two hours and ten minutes, and costs a dollar fifty."}}}
	for quote, want := range map[string]bool{
		"at nine thirty works": true, "Monday morning at 9:30": true, "Monday morning at nine thirty works for us": true,
		"it takes two hours": true, "Ten minutes, and costs": true, "a dollar": true, "a dollar and fifty": false, "twenty minutes": false, "": false, ",": false,
		"Monday at nine thirty": false, "at nine thirty p.m.": false,
	} {
		if _, ok := score.Quote(h, 0, quote); ok != want {
			t.Errorf("%q: found %t, want %t", quote, ok, want)
		}
	}
}
