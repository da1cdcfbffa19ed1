package practice

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/speech/speechtest"
)

const rate = 8000

// monday returns the time at which all test calls take place.
func monday() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) }

// says is a sound the caller makes once the desk has been silent for its patience.
type says struct {
	after  time.Duration // since the desk fell silent; if negative, since it began to speak
	length time.Duration
	keys   string
	pcm    []int16 // what it sounds like; nil means a voice of that length
}

// session is a call in virtual time over a perfect line.
type session struct {
	party *Party
	ears  *speechtest.Ears
	desk  []int16 // what the desk sent
	call  []int16 // what the caller sent
	lost  int
	hung  bool
	at    time.Duration
}

func newSession(t *testing.T, faults []string, understood ...string) *session {
	t.Helper()
	f, err := ParseFaults(faults)
	if err != nil {
		t.Fatal(err)
	}
	ears := speechtest.NewEars(understood...)
	s := startSession(t, Options{
		Mouth: &speechtest.Mouth{}, Now: monday, Faults: f, Seed: 7,
		NewEars: func(context.Context, string) (leg.Ears, error) { return ears, nil },
	})
	s.ears = ears
	return s
}

func startSession(t *testing.T, o Options) *session {
	t.Helper()
	s := &session{}
	desk, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	answer := desk.Answer(t.Context(), leg.Incoming{CallID: "call_1", From: "+15550100", To: "+15550199"})
	s.party = answer.Party.(*Party)
	s.party.Begin(rate)
	t.Cleanup(answer.Done)
	return s
}

// run plays the caller's turns and then listens for tail, or until the desk hangs up.
func (s *session) run(t *testing.T, tail time.Duration, turns ...says) {
	t.Helper()
	var voice []int16
	var burst, spoke time.Duration // the remaining length of the caller's sound; when the desk last spoke
	began, heard := time.Duration(-1), false
	limit, loud := 3*time.Minute, -50.0
	if s.party.noise != nil {
		loud = -30
	}
	in, out := leg.Frame{PCM: make([]int16, 160)}, leg.Frame{PCM: make([]int16, 160)}
	idle := time.Duration(0)
	for ; s.at < limit && !s.hung; s.at += leg.FrameTime {
		clear(in.PCM)
		clear(out.PCM)
		in.At, in.Digits, out.At, out.HangUp, out.Missing = s.at, "", s.at, false, false
		due := heard && s.at-spoke >= 700*time.Millisecond
		if len(turns) > 0 && turns[0].after < 0 {
			due = began >= 0 && s.at-began >= -turns[0].after
		} else if len(turns) > 0 && due {
			due = s.at-spoke >= turns[0].after
		}
		if burst <= 0 && len(turns) > 0 && due {
			burst, in.Digits = turns[0].length, turns[0].keys
			began, idle = -1, 0
			heard = false
			if voice = turns[0].pcm; voice == nil {
				voice = speechtest.Voice(700, burst+leg.FrameTime, rate)
			}
			turns = turns[1:]
		}
		if burst > 0 {
			copy(in.PCM, voice[len(voice)-int(burst*rate/time.Second):])
			burst -= leg.FrameTime
		}
		if err := s.party.Await(t.Context(), s.at); err != nil {
			t.Fatal(err)
		}
		s.party.Step(&in, &out)
		s.call = append(s.call, in.PCM...)
		s.desk = append(s.desk, out.PCM...)
		s.hung = out.HangUp
		if out.Missing {
			s.lost++
		}
		if audio.Level(out.PCM) > loud {
			if began < 0 {
				began = s.at
			}
			spoke, heard = s.at, true
		} else if s.at-spoke > 200*time.Millisecond {
			began = -1
		}
		idle += leg.FrameTime
		if len(turns) == 0 && idle > tail {
			break
		}
	}
	s.party.End(s.at, !s.hung)
}

// talk returns a plain turn of the caller.
func talk() says { return says{length: 1500 * time.Millisecond} }

func repeat(n int) []says {
	out := make([]says, n)
	for i := range out {
		out[i] = talk()
	}
	return out
}

// lines returns what the desk said, without its tool calls.
func (s *session) lines() []string {
	var out []string
	for _, m := range s.party.Record().Messages {
		if m.Role == "assistant" && m.Content != "" {
			out = append(out, m.Content)
		}
	}
	return out
}

func (s *session) tools() string {
	var out []string
	for _, m := range s.party.Record().Messages {
		for _, c := range m.ToolCalls {
			out = append(out, c.Function.Name+" "+c.Function.Arguments)
		}
	}
	return strings.Join(out, "\n")
}

// delays returns the time from the end of each caller turn to the desk's next sound, exact to a
// frame.
func (s *session) delays() []time.Duration {
	var out []time.Duration
	for i := 160; i+1600 <= len(s.call); i += 160 {
		ended := audio.Level(s.call[i-160:i]) > -40 && audio.Level(s.call[i:i+1600]) < -90
		if !ended {
			continue
		}
		for k := i; k+160 <= len(s.desk); k += 160 {
			if audio.Level(s.desk[k:k+160]) > -30 {
				out = append(out, time.Duration(k-i)*time.Second/rate)
				break
			}
		}
	}
	return out
}

func TestBookingFromGreetingToGoodbye(t *testing.T) {
	t.Parallel()
	s := newSession(t, nil, "hello i would like to book an appointment", "a cleaning", "on tuesday",
		"at ten thirty", "my name is anna miller", "yes that is right", "no thank you goodbye")
	s.run(t, 10*time.Second, repeat(7)...)
	want := []string{
		sayGreeting, sayService, sayDay,
		"On Tuesday we have nine o'clock, ten thirty and two o'clock. What time would you like?",
		sayName,
		"That is a cleaning on Tuesday at ten thirty for Anna Miller. Is that right?",
		"Your cleaning is booked for Tuesday at ten thirty. Your reference number is four one seven. Is there anything else?",
		sayFarewell,
	}
	if got := s.lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the desk said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	tools := `check_availability {"date":"2026-11-24","day":"Tuesday"}` + "\n" +
		`book_appointment {"date":"2026-11-24","day":"Tuesday","name":"Anna Miller","service":"cleaning","time":"10:30"}`
	if s.tools() != tools {
		t.Errorf("the desk called\n%s\nwant\n%s", s.tools(), tools)
	}
	if !s.hung || s.party.Record().EndReason != "agent_hung_up" {
		t.Errorf("hung up %v, reason %q, want agent_hung_up", s.hung, s.party.Record().EndReason)
	}
	delays := s.delays()
	if len(delays) != 7 {
		t.Errorf("the desk replied %d times, want 7", len(delays))
	}
	for i, d := range delays {
		if d < 450*time.Millisecond || d > 750*time.Millisecond {
			t.Errorf("reply %d came after %s, want 450 to 750 ms", i, d)
		}
	}
}
