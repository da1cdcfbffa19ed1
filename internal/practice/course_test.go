package practice

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/speech/speechtest"
)

// wantLines compares what the desk said.
func wantLines(t *testing.T, s *session, want ...string) {
	t.Helper()
	if got := s.lines(); !slices.Equal(got, want) {
		t.Errorf("the desk said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCancelling(t *testing.T) {
	t.Parallel()
	const shall, done = "Shall I cancel your blood test on Friday at three o'clock?", "Your blood test on Friday is cancelled. " + sayElse
	tests := map[string]struct {
		says  []string
		want  []string
		tools string
	}{
		"by name": {
			[]string{"i want to cancel my appointment", "laura davis", "yes please", "no thank you"}, []string{sayGreeting, sayWho, shall, done, sayFarewell},
			`cancel_appointment {"day":"Friday","name":"Laura Davis","reference":"641","time":"15:00"}`,
		},
		"not after all": {
			[]string{"cancel my appointment", "six four one", "no", "no thank you goodbye"}, []string{sayGreeting, sayWho, shall, sayNotDone, sayFarewell}, "",
		},
		"unknown": {
			[]string{"cancel my appointment", "anna miller", "six four one", "yes"}, []string{sayGreeting, sayWho, sayNotFound, shall, done},
			`cancel_appointment {"day":"Friday","name":"Laura Davis","reference":"641","time":"15:00"}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, nil, test.says...)
			s.run(t, 5*time.Second, repeat(len(test.says))...)
			wantLines(t, s, test.want...)
			if s.tools() != test.tools {
				t.Errorf("the desk called %q, want %q", s.tools(), test.tools)
			}
		})
	}
}

func TestATransferEndsTheCallAsOne(t *testing.T) {
	t.Parallel()
	s := newSession(t, nil, "i would like to speak to a person")
	s.run(t, 10*time.Second, talk())
	wantLines(t, s, sayGreeting, sayTransfer)
	if r := s.party.Record(); !s.hung || r.EndReason != "transferred" || s.tools() != `transfer_call {"to":"front desk"}` {
		t.Errorf("hung up %v, reason %s, called %s, want a transfer to the front desk", s.hung, r.EndReason, s.tools())
	}
}

func TestKeysChooseFromTheMenu(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		keys []string
		want []string
	}{
		"book":          {[]string{"1"}, []string{sayGreeting, sayService}},
		"hours":         {[]string{"4"}, []string{sayGreeting, sayHours}},
		"price":         {[]string{"5"}, []string{sayGreeting, sayWhich}},
		"person":        {[]string{"0"}, []string{sayGreeting, sayTransfer}},
		"no such key":   {[]string{"9", "9"}, []string{sayGreeting, sayNotHeard, sayMenu}},
		"reference":     {[]string{"3", "641"}, []string{sayGreeting, sayWho, "Shall I cancel your blood test on Friday at three o'clock?"}},
		"bad reference": {[]string{"2", "000", "352"}, []string{sayGreeting, sayWho, sayNotFound, sayDay}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, nil)
			var turns []says
			for _, k := range test.keys {
				turns = append(turns, says{keys: k})
			}
			s.run(t, 6*time.Second, turns...)
			wantLines(t, s, test.want...)
			pressed := 0
			for _, m := range s.party.Record().Messages {
				if m.Role == "user" && strings.HasPrefix(m.Content, "[pressed ") {
					pressed++
				}
			}
			if pressed != len(strings.Join(test.keys, "")) {
				t.Errorf("%d keys stand in the record, want %d", pressed, len(strings.Join(test.keys, "")))
			}
		})
	}
}

// TestTheMenuIsOfferedToBeChosenFrom checks that a key pressed after the menu is no digit of the reference number that was
// asked for before.
func TestTheMenuIsOfferedToBeChosenFrom(t *testing.T) {
	t.Parallel()
	for key, want := range map[byte]string{'1': sayService, '3': sayWho} {
		d := newDialogue(Faults{}, time.Now())
		for _, text := range []string{"cancel my appointment", "", ""} {
			d.hear(text)
		}
		if r, ok := d.key(key); !ok || r.text != want {
			t.Errorf("key %c after the menu is answered by %q, %v, want %q", key, r.text, ok, want)
		}
	}
}

// TestWordsInterruptAReferenceByKeys checks that keys pressed before a caller speaks are no part of a number pressed later.
func TestWordsInterruptAReferenceByKeys(t *testing.T) {
	t.Parallel()
	d := newDialogue(Faults{}, time.Now())
	d.hear("cancel my appointment")
	if r, ok := d.key('6'); ok {
		t.Errorf("one key is answered by %q", r.text)
	}
	d.hear("sorry")
	for i, key := range []byte("641") {
		if r, ok := d.key(key); ok != (i == 2) || ok && !strings.Contains(r.text, "your blood test") {
			t.Errorf("key %d of 641 is answered by %q, %v", i+1, r.text, ok)
		}
	}
}

// TestASilentCallerIsAskedTwice also checks the times of the questions.
func TestASilentCallerIsAskedTwice(t *testing.T) {
	t.Parallel()
	s := newSession(t, nil)
	s.run(t, time.Minute)
	wantLines(t, s, sayGreeting, sayStill, sayStill, sayFarewell)
	var starts []int64
	for _, m := range s.party.Record().Messages {
		starts = append(starts, *m.Start)
	}
	for i, line := range []string{sayGreeting, sayStill, sayStill} {
		spoken := int64(len(line)) * speechtest.PerLetter.Milliseconds()
		if quiet := starts[i+1] - starts[i] - spoken; quiet < 8900 || quiet > 9300 {
			t.Errorf("after line %d it waited %d ms, want 8900 to 9300", i, quiet)
		}
	}
	if !s.hung || s.party.Record().EndReason != "agent_hung_up" {
		t.Errorf("hung up %v, %s, want agent_hung_up", s.hung, s.party.Record().EndReason)
	}
}

func TestWithoutEarsAnyTurnMovesTheConversationOn(t *testing.T) {
	t.Parallel()
	s := startSession(t, Options{Mouth: &speechtest.Mouth{}, Now: monday})
	s.run(t, 10*time.Second, repeat(6)...)
	wantLines(t, s, sayGreeting, sayService, sayDay, sayName,
		"That is a cleaning on Tuesday at ten thirty for Anna Miller. Is that right?",
		"Your cleaning is booked for Tuesday at ten thirty. Your reference number is four one seven. "+sayElse, sayFarewell)
	if !s.hung {
		t.Error("the desk did not hang up")
	}
}

func TestEarsAndMouthThatFailDoNotEndTheCall(t *testing.T) {
	t.Parallel()
	ears := speechtest.NewEars()
	ears.Fail(errors.New("broken"))
	s := startSession(t, Options{
		Mouth: &speechtest.Mouth{}, Now: monday,
		NewEars: func(context.Context, string) (leg.Ears, error) { return ears, nil },
	})
	s.run(t, 5*time.Second, talk())
	wantLines(t, s, sayGreeting, sayNotHeard)
	broken, err := New(Options{Mouth: &speechtest.Mouth{Err: errors.New("broken")}, Now: monday})
	if err != nil {
		t.Fatal(err)
	}
	if err := broken.Warm(t.Context()); err == nil {
		t.Error("a broken mouth was not found out")
	}
	noEars, err := New(Options{
		Mouth: &speechtest.Mouth{}, Now: monday,
		NewEars: func(context.Context, string) (leg.Ears, error) { return nil, errors.New("broken") },
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := noEars.Answer(t.Context(), leg.Incoming{}); a.Refuse != leg.RefuseOverload {
		t.Errorf("without ears it answered %+v, want that it refuses for overload", a)
	}
}

// TestAnotherNameLeadsToAnotherAppointment checks that a caller whose appointment is not the one that the desk
// has found can correct its name or its reference number.
func TestAnotherNameLeadsToAnotherAppointment(t *testing.T) {
	t.Parallel()
	const susans = "Shall I cancel your eye test on Wednesday at two o'clock?"
	for _, turns := range [][]string{
		{"cancel my appointment", "laura davis", "no my name is susan taylor"},
		{"cancel my appointment", "laura davis", "nine one four"},
		{"cancel my appointment", "six four one", "no my name is susan taylor"},
		{"cancel my appointment", "six four one", "no nine one four"},
	} {
		d := newDialogue(Faults{}, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
		var last reply
		for _, turn := range turns {
			last = d.hear(turn)
		}
		if last.text != susans {
			t.Errorf("after %q the desk says %q, want %q", turns, last.text, susans)
		}
	}
	d := newDialogue(Faults{}, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	for _, turn := range []string{"move my appointment", "laura davis", "on monday", "at nine o'clock", "no"} {
		d.hear(turn)
	}
	const moved = "Shall I move your eye test on Wednesday at two o'clock to Monday at nine o'clock?"
	if last := d.hear("my name is susan taylor"); last.text != moved {
		t.Errorf("to the change of a name the desk says %q, want %q", last.text, moved)
	}
}
