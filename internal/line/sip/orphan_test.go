package sip

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// restful is a Party that listens until its call ends.
type restful struct{ over chan bool }

func (*restful) Begin(int)                         {}
func (*restful) Step(_, _ *leg.Frame)              {}
func (r *restful) End(_ time.Duration, byFar bool) { r.over <- byFar }

// TestTheCallOfADeadProcessIsHungUp places a call on one line and hangs it up from another, which
// knows only the reference.
func TestTheCallOfADeadProcessIsHungUp(t *testing.T) {
	t.Parallel()
	for _, transport := range []Transport{UDP, TCP} {
		t.Run(string(transport), func(t *testing.T) {
			t.Parallel()
			far := &restful{over: make(chan bool, 1)}
			server, err := Listen(ServerOptions{
				Now: time.Now, User: "u", Password: "p",
				Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: far} },
			})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close(t.Context()) //nolint:errcheck // the test is over then
			open := func() *Line {
				l, err := New(Options{Now: time.Now, Trunks: []Trunk{{
					Name: "far", Host: server.Addr().String(), Transport: transport, User: "u", Password: "p",
				}}})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(l.Close)
				return l
			}
			first, second := open(), open()
			references, over := make(chan string, 1), make(chan struct{})
			near := &restful{over: make(chan bool, 1)}
			go func() {
				defer close(over)
				first.Place(context.Background(), leg.Dial{
					CallID: "call_1", Trunk: "far", To: "+15550123", RingTimeout: patient, MaxDuration: time.Minute,
					OnAnswered: func(reference string) { references <- reference },
				}, near, leg.NewTape(time.Minute))
			}()
			reference := <-references
			if strings.Contains(reference, `"p"`) {
				t.Error("the reference tells the password")
			}
			if err := second.HangUp(t.Context(), reference); err != nil {
				t.Fatal(err)
			}
			if byFar := <-far.over; !byFar {
				t.Error("the far end does not know who hung up")
			}
			if err := second.HangUp(t.Context(), reference); err != nil {
				t.Errorf("a call that is over already: %v", err)
			}
			first.Close() // the far end of its call has gone
			<-over
		})
	}
}

func TestReferencesThatLeadNowhere(t *testing.T) {
	t.Parallel()
	l, err := New(Options{Now: time.Now, Trunks: []Trunk{{Name: "far", Host: "127.0.0.1:9", Transport: UDP}}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, reference := range []string{
		``, `{}`, `[]`, `{"trunk":"none"}`, `{"trunk":"far"}`, `{"trunk":"far","from":"<sip:a@b>","to":"<sip:a@b>","target":"\n"}`,
		`{"trunk":"far","from":"<sip:a@b>;tag=1","to":"<sip:a@b>;tag=2","target":"sip:a@127.0.0.1:9","routes":["?"]}`,
	} {
		if err := l.HangUp(t.Context(), reference); err == nil {
			t.Errorf("%s: no error", reference)
		}
	}
}
