package review

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// A person who joins speaks on the agent's channel, and gets turns of their own on the recording
// as in the transcript, even if the caller says nothing in between.
func TestWhoIsCalledInHasTurnsOfTheirOwn(t *testing.T) {
	t.Parallel()
	const colleague = "transfer_target"
	span := func(from, to float64) call.Segment {
		return call.Segment{Start: time.Duration(from * float64(time.Second)), End: time.Duration(to * float64(time.Second))}
	}
	caller := []call.Segment{span(4, 6), span(16.4, 18.5)}
	agent := []call.Segment{span(0.5, 3.5), span(7.3, 9.5), span(13, 14), span(14.5, 16), span(19.5, 22)}
	said := []struct {
		who  call.Speaker
		by   string
		at   call.Segment
		text string
	}{
		{call.Agent, "", span(0.5, 3.5), "How can I help?"},
		{call.Caller, "", span(4, 6), "My bill is wrong."},
		{call.Agent, "", span(7.3, 9.5), "I connect you to a colleague."},
		{call.Agent, colleague, span(13, 16), "This is Anna. What is it about?"},
		{call.Caller, "", span(16.4, 18.5), "My bill is still wrong."},
		{call.Agent, colleague, span(19.5, 22), "We never make mistakes."},
	}
	for name, change := range map[string]func(*call.Reported){
		"timed": func(*call.Reported) {},
		"starts alone": func(r *call.Reported) {
			for i := range r.Turns {
				r.Turns[i].End = r.Turns[i].Start
			}
		},
		"late": func(r *call.Reported) {
			for i := range r.Turns {
				r.Turns[i].Start, r.Turns[i].End = r.Turns[i].Start+2*time.Second, r.Turns[i].End+2*time.Second
			}
		},
		"untimed": untimed,
	} {
		told := call.Reported{HasTranscript: true, Timed: true}
		for i, s := range said {
			told.Turns = append(told.Turns, call.Turn{Index: i, Speaker: s.who, By: s.by, Start: s.at.Start, End: s.at.End, Text: s.text})
		}
		change(&told)
		offset := time.Duration(0)
		if name == "late" {
			offset = -2 * time.Second
		}
		laid := layTurns(&told, timing.Turns(caller, agent, nil), offset)
		if len(laid) != len(said) {
			t.Errorf("%s: there are %d turns: %+v", name, len(laid), laid)
			continue
		}
		for i, s := range said {
			if got := laid[i]; got.Index != i || got.Speaker != s.who || got.By != s.by || got.Text != s.text {
				t.Errorf("%s: turn %d is %+v, want %+v", name, i, got, s)
			} else if name != "untimed" && (got.Start != s.at.Start || got.End != s.at.End) {
				t.Errorf("%s: turn %d is from %s to %s, want %+v", name, i, got.Start, got.End, s.at)
			}
		}
	}
}

// Silence while that person has the call is not the agent's, on a mix either.
func TestTheSilenceOfWhoIsCalledIn(t *testing.T) {
	t.Parallel()
	for by, want := range map[string]float64{"": 1, "transfer_target": 0} {
		p := produce(t)
		pcm := make([]int16, 15_000*8)
		lay(pcm, []stretch{{500, 2000}, {3000, 4500}, {5200, 7000}, {11000, 12000}, {12500, 14000}}, 700)
		p.web.body = wav(t, pcm)
		p.tell(func(r *call.Reported) {
			r.Turns[2].By = by
			r.Turns[3].Start, r.Turns[3].End = 11*time.Second, 12*time.Second
			r.Turns[4].Start, r.Turns[4].End = 12500*ms, 14*time.Second
		})
		_, r := p.work(t)
		if m := r.Metric("dead_air_count"); m == nil || m.Value == nil || *m.Value != want {
			t.Errorf("by %q: the dead air is %+v, want %.0f", by, m, want)
		}
	}
}

// The turns of somebody to whom the call was passed on tell of its times like any others. The caller's
// "mm", which transcripts leave out, parts that person's speech on the recording.
func TestTimesFitWhereSomebodyElseSpeaksMost(t *testing.T) {
	t.Parallel()
	const colleague = "transfer_target"
	agent := []stretch{{500, 2000}, {5200, 7000}, {8200, 10_000}, {11_200, 13_000}}
	p := produce(t)
	p.web.body = stereo(t, []stretch{{3000, 4500}, {7300, 7900}, {10_300, 10_900}}, agent, 0)
	p.tell(func(r *call.Reported) {
		r.Channels, r.CallerChannel = 2, 0
		r.Turns = []call.Turn{
			turn(call.Agent, agent[0], "One moment, please."), turn(call.Caller, stretch{3000, 4500}, "Thank you."),
			turn(call.Agent, agent[1], "This is Anna, I have your file here."), turn(call.Agent, agent[2], "It says that you called us before."),
			turn(call.Agent, agent[3], "We will send you a new bill."),
		}
		for i := range r.Turns[2:] {
			r.Turns[2+i].By = colleague
		}
	})
	_, r := p.work(t)
	if len(r.Notes) > 0 {
		t.Errorf("the notes are %q", r.Notes)
	}
	for i, by := range map[int]string{0: "", 2: colleague, 4: colleague, 6: colleague} {
		if len(r.Heard.Turns) != 7 || r.Heard.Turns[i].By != by || r.Heard.Turns[i].Text == "" {
			t.Fatalf("the turns are %+v", r.Heard.Turns)
		}
	}
}

// What somebody says to whom the call was passed on, and what the recording no longer holds, takes
// nothing from the agent's own last turn.
func TestWhoIsNotOnTheRecordingTakesNoTurnOfTheAgent(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*call.Reported){"timed": func(*call.Reported) {}, "untimed": untimed} {
		p := produce(t)
		p.tell(func(r *call.Reported) {
			r.Channels, r.CallerChannel = 2, 0
			anna := turn(call.Agent, stretch{14_500, 14_900}, "This is Anna.")
			anna.By = "transfer_target"
			r.Turns = append(r.Turns, anna)
			change(r)
		})
		_, r := p.work(t)
		if m := r.Metric("turn_latency"); m.Spread == nil || m.Spread.N != 2 {
			t.Errorf("%s: the latency is %+v, notes %q, turns %+v", name, m, r.Notes, r.Heard.Turns)
		}
	}
}
