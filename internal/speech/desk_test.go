package speech

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// deskCall is what the practice agent says when a scenario of the sample dataset goes well
// (docs/practice-agent.md). general.txt must not be written to match these lines, because the
// recogniser is measured with them.
type deskCall struct {
	item  string
	lines []string
}

func deskCalls() []deskCall {
	const (
		greeting = "Thank you for calling Maple Clinic. How can I help you?"
		farewell = "Thank you for calling. Goodbye."
		name     = "May I have your name, please?"
		who      = "May I have your name or your reference number, please?"
		day      = "Which day would you like?"
		hours    = "We are open Monday to Friday from nine o'clock to five o'clock. Is there anything else?"
	)
	return []deskCall{
		{"opening-hours", []string{greeting, hours, farewell}},
		{"price-of-a-cleaning", []string{greeting, "A cleaning costs 120 dollars. Is there anything else?", farewell}},
		{"book-a-check-up", []string{
			greeting, day, "On Tuesday we have nine o'clock, ten thirty and two o'clock. What time would you like?", name,
			"That is a check up on Tuesday at ten thirty for Anna Miller. Is that right?",
			"Your check up is booked for Tuesday at ten thirty. Your reference number is four one seven. Is there anything else?", farewell,
		}},
		{"book-an-eye-test-in-one-breath", []string{
			greeting, name, "That is an eye test on Thursday at two o'clock for David Brown. Is that right?",
			"Your eye test is booked for Thursday at two o'clock. Your reference number is four one seven. Is there anything else?", farewell,
		}},
		{"move-an-appointment", []string{
			greeting, who, day, "On Thursday we have nine o'clock, ten thirty and two o'clock. What time would you like?",
			"Shall I move your cleaning on Monday at ten o'clock to Thursday at two o'clock?",
			"Your cleaning is moved to Thursday at two o'clock. Is there anything else?", farewell,
		}},
		{"cancel-by-keypad", []string{
			greeting, who, "Shall I cancel your blood test on Friday at three o'clock?",
			"Your blood test on Friday is cancelled. Is there anything else?", farewell,
		}},
		{"ask-for-a-person", []string{greeting, "One moment, please. I will put you through."}},
		{"interrupts-the-desk", []string{greeting, hours, "A vaccination costs 40 dollars. Is there anything else?", farewell}},
		{"not-understood", []string{
			greeting, "I am sorry, I did not understand that. Could you say that again, please?",
			"I am sorry, I cannot find your appointment. May I have your reference number, please?", "Are you still there?",
			"I am sorry, eleven o'clock on Tuesday is not free. On Tuesday we have nine o'clock, ten thirty and two o'clock. What time would you like?",
			"All right, I will leave it as it is. Is there anything else?",
		}},
	}
}

// sampleHints returns the hints that a review of the sample dataset's item gets.
func sampleHints(t testing.TB) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../../examples/clinic/dataset.yaml")
	if err != nil {
		t.Fatal(err)
	}
	items, p := scenario.ParseItems(data, scenario.YAML)
	if p != nil {
		t.Fatal(p)
	}
	hints := map[string][]string{}
	for _, it := range items {
		hints[it.Key] = it.Words()
	}
	return hints
}

// recorded returns the agent's channel of a call: each line with silence around it, located again
// as a review does.
func recorded(t testing.TB, e *Engines, voice string, c deskCall, hints []string) (r review.Speech, lines []call.Segment) {
	t.Helper()
	r = review.Speech{Rate: 8000, Language: "en-US", Hints: hints, PCM: make([]int16, 3200)}
	for _, line := range c.lines {
		clip, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: voice}, "en-US", line)
		if err != nil {
			t.Fatal(err)
		}
		if first, last, ok := clip.Audible(); ok {
			clip.PCM = clip.PCM[first:last]
		}
		start := durationOf(len(r.PCM), r.Rate)
		r.PCM = append(r.PCM, telephone(clip)...)
		lines = append(lines, call.Segment{Start: start, End: durationOf(len(r.PCM), r.Rate)})
		r.PCM = append(r.PCM, make([]int16, 16000)...)
	}
	for _, s := range activity.Segments(r.PCM, r.Rate) {
		seg := call.Segment{Start: durationOf(s.Start, r.Rate), End: durationOf(s.End, r.Rate)}
		if n := len(r.Segments); n > 0 && seg.Start-r.Segments[n-1].End <= 700*time.Millisecond {
			r.Segments[n-1].End = seg.End
			continue
		}
		r.Segments = append(r.Segments, seg)
	}
	return r, lines
}

// hearDesk counts the word errors of one call.
func hearDesk(t testing.TB, e *Engines, voice string, c deskCall, hints []string) (errors, words int, length time.Duration) {
	t.Helper()
	r, lines := recorded(t, e, voice, c, hints)
	got, err := e.Transcriber().Transcribe(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		var heard []string
		for k, seg := range r.Segments {
			if mid := (seg.Start + seg.End) / 2; mid >= line.Start && mid <= line.End {
				heard = append(heard, strings.Fields(got[k].Text)...)
			}
		}
		want := slices.Concat(sentences(c.lines[i])...)
		n := wordErrors(want, heard)
		errors, words = errors+n, words+len(want)
		if n > 0 {
			t.Logf("%s %s: said %q, heard %q", voice, c.item, strings.Join(want, " "), strings.Join(heard, " "))
		}
	}
	return errors, words, durationOf(len(r.PCM), r.Rate)
}

// BenchmarkReviewOfTheDesk measures how accurately and how fast reviews recognise the sample
// dataset's calls. The table in docs/speech.md comes from it.
func BenchmarkReviewOfTheDesk(b *testing.B) {
	e, err := New(Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	for _, voice := range []string{"rms", "slt", "awb"} {
		b.Run(voice, func(b *testing.B) {
			hints := sampleHints(b)
			for range b.N {
				errors, words, length := 0, 0, time.Duration(0)
				begun := time.Now()
				for _, c := range deskCalls() {
					n, w, l := hearDesk(b, e, voice, c, hints[c.item])
					errors, words, length = errors+n, words+w, length+l
				}
				b.ReportMetric(100*float64(errors)/float64(words), "%WER")
				b.ReportMetric(float64(words), "words")
				b.ReportMetric(time.Since(begun).Seconds()/length.Seconds(), "RTF")
			}
		})
	}
}

// TestReviewsHearTheDesk is the short form of the benchmark, with bounds.
func TestReviewsHearTheDesk(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	hints := sampleHints(t)
	for voice, limit := range map[string]float64{"rms": 12, "slt": 16} {
		t.Run(voice, func(t *testing.T) {
			t.Parallel()
			errors, words := 0, 0
			for _, c := range deskCalls()[4:6] {
				n, w, _ := hearDesk(t, e, voice, c, hints[c.item])
				errors, words = errors+n, words+w
			}
			if rate := 100 * float64(errors) / float64(words); rate > limit {
				t.Errorf("word error rate %.1f %% of %d words, want at most %.0f", rate, words, limit)
			}
		})
	}
}

// TestGeneralSentencesAreNotTheDesks keeps the measurement honest: no line of the desk may be in
// the model as a whole, except for what everybody says.
func TestGeneralSentencesAreNotTheDesks(t *testing.T) {
	t.Parallel()
	general, everybodys := map[string]bool{}, []string{"is there anything else", "thank you for calling", "one moment please"}
	for _, s := range expand(generalText) {
		general[strings.Join(s.words, " ")] = true
	}
	for _, text := range everybodys {
		if !general[text] {
			t.Errorf("general.txt has no %q", text)
		}
	}
	for _, c := range deskCalls() {
		for _, line := range c.lines {
			for _, s := range sentences(line) {
				text := strings.Join(s, " ")
				if !slices.Contains(everybodys, text) && len(s) > 2 && general[text] {
					t.Errorf("general.txt has the desk's own sentence %q", text)
				}
			}
		}
	}
}

func TestEveryCommonWordCanBePronounced(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	want := vocabularyOf(allWords(expand(generalText), strings.Fields(commonWords)))
	if len(want) == 0 {
		t.Fatal("there are no common words")
	}
	has, err := e.sphinx.writeDictionary(t.TempDir()+"/words.dict", want)
	if err != nil {
		t.Fatal(err)
	}
	for w := range want {
		if !has[w] {
			t.Errorf("the dictionary has no %q", w)
		}
	}
}
