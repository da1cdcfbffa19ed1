package speech

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/review"
)

func TestReadingsOfAList(t *testing.T) {
	t.Parallel()
	list := "on friday at the o'clock -100\non friday at three o'clock -108\n<s> on friday at three(2) o'clock </s> -120\n\nodd\non fried at the o'clock -900\n"
	if got := readingsIn(list, "on friday at the o'clock"); !slices.Equal(got, []string{"on friday at three o'clock", "on fried at the o'clock"}) {
		t.Errorf("the readings are %q", got)
	}
}

func TestConfidenceIsNeverNoughtUnlessUnknown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"0.936": 0.94, "0.000": 0.01, "1.2": 1, "": 0, "NaN": 0, "-1": 0} {
		if got := confidence(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// TestSureWordsAreRight compares the confidence with what was really said: words that the
// recogniser was sure of must be right, and alternatives must not be reported where something
// similar was said.
func TestSureWordsAreRight(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	lines := []string{"Shall I cancel your blood test on Friday at three o'clock?", "We are open Monday to Friday from nine o'clock to five o'clock."}
	r := review.Speech{Rate: 8000, Language: "en-US", Hints: []string{"three o'clock"}, Maybe: []string{"I cancel your visit", "we are closed on Friday", "no refunds today"}}
	for _, line := range lines {
		start := durationOf(len(r.PCM), 8000)
		r.PCM = append(r.PCM, speak(t, e, "slt", line)...)
		r.Segments = append(r.Segments, call.Segment{Start: start, End: durationOf(len(r.PCM), 8000)})
		r.PCM = append(r.PCM, make([]int16, 8000)...)
	}
	got, err := e.Transcriber().Transcribe(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	sure, wrong := 0, 0
	for i, g := range got {
		said := slices.Concat(sentences(lines[i])...)
		for _, w := range g.Words {
			if w.Confidence <= 0 || w.Confidence > 1 || w.End < w.Start-time.Millisecond {
				t.Errorf("%+v", w)
			}
			if w.Confidence < 0.9 {
				continue
			}
			if sure++; !slices.Contains(said, w.Text) {
				wrong++
				t.Logf("%q was heard with a confidence of %v and never said", w.Text, w.Confidence)
			}
		}
		for _, m := range r.Maybe {
			if strings.Contains(g.Text, strings.ToLower(m)) {
				t.Errorf("%q was heard in %q because it was looked for", m, g.Text)
			}
		}
		if slices.Contains(g.Readings, g.Text) {
			t.Errorf("what was understood is among its other readings")
		}
	}
	if sure < 6 || wrong > 2 {
		t.Errorf("of %d words that the recogniser was sure of %d were never said", sure, wrong)
	}
}
