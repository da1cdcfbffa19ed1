package room

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// AttendOptions configure joining a room as the agent.
type AttendOptions struct {
	// URL and Token are those that an agent is given.
	URL, Token string
	// Room is the room's name; "" uses the one reported by the server.
	Room string
	// Answerer decides about the call and provides the Party that takes it. It is given the room's
	// name without its prefix as CallID, the room's name as To and the caller's identity as From.
	// After a refusal we leave the room, except that RefuseRing stays and publishes nothing.
	Answerer leg.Answerer
	// Pacer drives the media of several rooms; nil creates one for this room.
	Pacer *pace.Pacer
	// Loss drops outgoing packets.
	Loss loss.Model
	// JoinFor is how long joining is retried after failures that may be temporary; 0 tries once.
	JoinFor time.Duration
	// Log receives log messages; nil discards them.
	Log *slog.Logger
	// Now is the wall clock with its monotonic reading. It must be set.
	Now func() time.Time
}

// Attend joins a room as the agent, waits for the caller and returns when the call is over or
// ctx ends. It returns an error if the room could not be joined.
func Attend(ctx context.Context, o AttendOptions) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Pacer == nil {
		o.Pacer = pace.NewPacer(o.Now, 1)
		defer o.Pacer.Close()
	}
	m, err := o.joined(ctx)
	if err != nil {
		return err
	}
	a := &attending{AttendOptions: o, meeting: m}
	defer a.meeting.leave()
	if a.Room == "" {
		a.Room = a.meeting.room.Name()
	}
	return a.run(ctx)
}

const (
	// joinPause is the pause before joining again, which grows up to joinPauseMost.
	joinPause, joinPauseMost = 250 * time.Millisecond, 2 * time.Second
	// unknownFor is how long joining a room that does not exist is retried: a restarted media
	// server has no rooms until they are created again.
	unknownFor = 5 * time.Second
)

// joined joins the room. It retries for a while, as a service that is starting rejects everybody.
func (o AttendOptions) joined(ctx context.Context) (*meeting, error) {
	begun := o.Now()
	var before time.Duration // until when it was another reason than that there is no such room
	for pause := joinPause; ; pause = min(2*pause, joinPauseMost) {
		m := newMeeting(o.Pacer, o.Log)
		err := m.join(ctx, o.URL, o.Token)
		if err == nil {
			return m, nil
		}
		took := o.Now().Sub(begun)
		if !refused(err, "not found") {
			before = took
		}
		if ctx.Err() != nil || took+pause > o.patience(err, before) {
			return nil, err
		}
		if pause == joinPause {
			o.Log.WarnContext(ctx, "the room cannot be joined yet", "error", err)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, err
		}
	}
}

// patience returns for how long in all joining is retried after the error, when until before there was another.
func (o AttendOptions) patience(err error, before time.Duration) time.Duration {
	switch {
	case refused(err, "unauthorized"):
		return 0
	case refused(err, "not found"):
		return min(o.JoinFor, before+unknownFor)
	}
	return o.JoinFor
}

// refused reports whether the server refused to let us in for a reason.
func refused(err error, reason string) bool {
	var why joinError
	return errors.As(err, &why) && strings.HasPrefix(string(why), reason)
}

// callerBack is how long a caller that has left may take to return: when it reconnects, it leaves first.
const callerBack = 300 * time.Millisecond

// attending is our presence as the agent in one room.
type attending struct {
	AttendOptions
	meeting *meeting
}

func (a *attending) run(ctx context.Context) error {
	if !a.until(ctx, time.Hour, a.meeting.present) {
		return nil
	}
	answer := a.Answerer(ctx, leg.Incoming{
		CallID: strings.TrimPrefix(a.Room, Prefix), From: a.meeting.other(), To: a.Room,
	})
	if answer.Refuse == leg.RefuseRing {
		a.until(ctx, time.Hour, func() bool { return !a.meeting.present() })
		return nil
	}
	if answer.Refuse != leg.RefuseNot || answer.Party == nil {
		return nil
	}
	if answer.Done != nil {
		defer answer.Done()
	}
	if answer.RingFor > 0 && a.until(ctx, answer.RingFor, func() bool { return !a.meeting.present() }) {
		return nil
	}
	if ctx.Err() != nil {
		return nil
	}
	return a.converse(ctx, answer)
}

// until waits for a condition. It returns false if the time, ctx or the room ended first.
func (a *attending) until(ctx context.Context, most time.Duration, so func() bool) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for !so() {
		if _, gone := a.meeting.lost(); gone {
			return false
		}
		select {
		case <-a.meeting.notify:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// converse publishes the agent's voice and runs the conversation until somebody hangs up.
func (a *attending) converse(ctx context.Context, answer leg.Answer) error {
	voice, err := newOpus()
	if err != nil {
		return err
	}
	mic, err := a.meeting.publish()
	if err != nil {
		return fmt.Errorf("the agent's voice could not be published: %w", err)
	}
	keys := make(chan string, 64)
	s := newStream(a.Pacer, setup{
		party: answer.Party, tape: answer.Tape, own: leg.AgentChannel, loss: a.Loss, track: mic, codec: voice, pressed: queueInto(keys),
	})
	a.meeting.hearFor(s)
	// The agent begins once it is heard, so that nothing it says is lost. The server sometimes fails to report that
	// when many calls begin at once, so the wait is no longer than our caller's own.
	a.until(ctx, usualRing, a.meeting.choose)
	a.until(ctx, hearPatience, a.meeting.isHeard)
	a.meeting.attach(s)
	s.start()
	a.meeting.hold(ctx, s, keys, callerBack)
	a.meeting.lastWords()
	return nil
}
