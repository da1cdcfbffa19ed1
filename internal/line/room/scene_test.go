package room_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

// scene is a call in a room, from the agent's point of view.
type scene struct {
	*person
	t           *testing.T
	name, token string
	answered    chan struct{}
	ended       chan struct{}
}

// patience bounds what is waited for in these tests.
const patience = 30 * time.Second

// talks waits until the caller has heard n more frames of sound; it returns false if the call ended
// before.
func (s *scene) talks(n int64) bool {
	s.t.Helper()
	for limit, want := time.Now().Add(patience), s.heard.Load()+n; s.heard.Load() < want; pause(5 * time.Millisecond) {
		select {
		case <-s.ended:
			return false
		default:
		}
		if time.Now().After(limit) {
			s.t.Errorf("the caller hears nobody")
			return false
		}
	}
	return true
}

// until waits for something from the agent to reach the caller.
func (s *scene) until(came func() bool) {
	s.t.Helper()
	for limit := time.Now().Add(patience); !came(); pause(5 * time.Millisecond) {
		if time.Now().After(limit) {
			s.t.Errorf("it never came")
			return
		}
	}
}

// hangsUp makes the caller end the call.
func (s *scene) hangsUp() { s.over.Store(true) }

// meet runs a call in a room with a guest that does what act says.
func meet(t *testing.T, id string, o room.Options, d leg.Dial, act func(s *scene)) (call.Attempt, *leg.Tape) {
	t.Helper()
	return meetOver(t, server, id, o, d, act)
}

// meetOver is meet with the caller's own connection to the media server.
func meetOver(t *testing.T, way room.Joiner, id string, o room.Options, d leg.Dial, act func(s *scene)) (call.Attempt, *leg.Tape) {
	t.Helper()
	o.Server = way
	r := newRig(t, nil, o)
	name := room.Prefix + id
	s := &scene{person: &person{}, t: t, name: name, token: openRoom(t, name), answered: make(chan struct{}), ended: make(chan struct{})}
	d.CallID, d.AttemptID, d.Room = id, "att_"+id, name
	if d.RingTimeout == 0 {
		d.RingTimeout = patience
	}
	if d.MaxDuration == 0 {
		d.MaxDuration = 50 * time.Second
	}
	d.OnAnswered = func(string) { close(s.answered) }
	acted := make(chan struct{})
	go func() {
		defer close(acted)
		act(s)
	}()
	tape := leg.NewTape(time.Minute)
	a := r.line.Place(t.Context(), d, s.person, tape)
	close(s.ended)
	<-acted
	return a, tape
}

// fair is meet, repeated up to three times while this machine was too busy to keep time, because
// then what was heard, and when, proves nothing. ok is false if it always was.
func fair(t *testing.T, id string, o room.Options, act func(s *scene)) (a call.Attempt, tape *leg.Tape, ok bool) {
	t.Helper()
	return fairOver(t, server, id, o, act)
}

// fairOver is fair with the caller's own connection to the media server.
func fairOver(t *testing.T, way room.Joiner, id string, o room.Options, act func(s *scene)) (a call.Attempt, tape *leg.Tape, ok bool) {
	t.Helper()
	m := linetest.Watch(t)
	for try := range 3 {
		a, tape = meetOver(t, way, fmt.Sprintf("%s_%d", id, try), o, leg.Dial{}, act)
		if a.Stats.SendMissed == 0 && a.Stats.ReceiveLateMax < starved {
			return a, tape, true
		}
	}
	if late := m.Late(); late < starved/4 && !t.Failed() {
		t.Errorf("the line was starved, %d frames were not sent and packets taken in %v late, but this machine was late by %v at most", a.Stats.SendMissed, a.Stats.ReceiveLateMax, late)
	}
	t.Logf("this machine was starved, by up to %v: nothing can be said of how it sounded", m.Late())
	return a, tape, false
}

// starved is the delay in reading a packet from which a machine counts as too busy.
const starved = 60 * time.Millisecond

func kinds(a call.Attempt) []call.Kind {
	var all []call.Kind
	for _, e := range a.Timeline {
		all = append(all, e.Kind)
	}
	return all
}

func count(a call.Attempt, kind call.Kind) int {
	n := 0
	for _, k := range kinds(a) {
		if k == kind {
			n++
		}
	}
	return n
}

// loud returns how much of a channel is audible, in seconds.
func loud(tape *leg.Tape, channel int) float64 {
	n := 0
	pcm := tape.Channel(channel)
	const window = 320
	for ; len(pcm) >= window; pcm = pcm[window:] {
		if slices.Max(pcm[:window]) > 2000 {
			n++
		}
	}
	return float64(n) * window / 16000
}

func pause(d time.Duration) { <-time.NewTimer(d).C }
